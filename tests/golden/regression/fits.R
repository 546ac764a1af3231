# Reference fits of linear regressions: lm and glmnet (R >= 4, glmnet >= 4). Run it in this folder:
#   Rscript fits.R
# It writes data.csv and fits.json, which regression_test.cpp reads.
library(glmnet)
set.seed(7)
n <- 80
x <- cbind(a = rnorm(n), b = 2 * rnorm(n) + 1, c = rnorm(n, 3), d = rbinom(n, 1, 0.4), e = rnorm(n))
x[, "c"] <- x[, "c"] + 0.8 * x[, "a"]
w <- round(runif(n, 0.2, 3), 2)
y <- 4 + 1.5 * x[, "a"] - 0.7 * x[, "b"] + 0.3 * x[, "d"] + rnorm(n, sd = 1.3)
x <- round(x, 4); y <- round(y, 4)
write.csv(cbind(x, w = w, y = y), "data.csv", row.names = FALSE)

number <- function(v) sprintf("%.17g", v)
list_of <- function(names, values) paste0("{", paste0("\"", names, "\": ", number(values), collapse = ", "), "}")
cases <- character()
add <- function(name, options, coefficients, extra = "") {
  names(coefficients)[1] <- "(intercept)"
  cases <<- c(cases, sprintf("  {\"name\": \"%s\", \"options\": {%s}, \"coefficients\": %s%s}", name, options,
                             list_of(names(coefficients), coefficients), extra))
}
frame <- data.frame(x, y = y)
fit <- lm(y ~ a + b + c + d + e, frame)
errors <- summary(fit)$coefficients[, 2]; names(errors)[1] <- "(intercept)"
add("lm", "\"prior\": \"uniform\"", coef(fit),
    sprintf(", \"std_errors\": %s, \"noise_variance\": %s", list_of(names(errors), errors),
            number(summary(fit)$sigma^2)))
fit <- lm(y ~ a + b + c + d + e, frame, weights = w)
errors <- summary(fit)$coefficients[, 2]; names(errors)[1] <- "(intercept)"
add("lm with weights", "\"prior\": \"uniform\", \"weights\": true", coef(fit),
    sprintf(", \"std_errors\": %s, \"noise_variance\": %s", list_of(names(errors), errors), number(summary(fit)$sigma^2)))
fit <- lm(y ~ 0 + a + b + c + d + e, frame)
none <- c("(intercept)" = 0, coef(fit))
add("lm without intercept", "\"prior\": \"uniform\", \"intercept\": false", none)

# glmnet minimises 1/(2 sum w) sum w (y - f)^2 + lambda (alpha |b| + (1 - alpha)/2 b^2), so that
# l1 = lambda alpha sum w and l2 = lambda (1 - alpha) sum w. But its gaussian family divides y by its (weighted, 1/n)
# deviation s first, and lambda too: called with y itself, its ridge part is l2 = lambda (1 - alpha) sum w / s. Here y/s is
# fitted, whose deviation is 1, and the coefficients multiplied by s; the last case calls it as users do.
fit_glmnet <- function(lambda, alpha, weights = rep(1, n)) {
  total <- sum(weights); m <- sum(weights * y) / total; s <- sqrt(sum(weights * (y - m)^2) / total)
  f <- glmnet(x, y / s, family = "gaussian", alpha = alpha, weights = weights, standardize = FALSE,
              thresh = 1e-22, maxit = 1e8, lambda = lambda)
  as.vector(coef(f)) * s
}
penalty <- function(lambda, alpha, weights = rep(1, n)) {
  total <- sum(weights); m <- sum(weights * y) / total; s <- sqrt(sum(weights * (y - m)^2) / total)
  c(l1 = lambda * alpha * total * s, l2 = lambda * (1 - alpha) * total)
}
labels <- c("(intercept)", colnames(x))
for (lambda in c(0.3, 0.05)) {
  p <- penalty(lambda, 0)
  add(sprintf("ridge %g", lambda), sprintf("\"prior\": \"gaussian\", \"variance\": %s", number(1 / p["l2"])),
      setNames(fit_glmnet(lambda, 0), labels))
  p <- penalty(lambda, 1)
  add(sprintf("lasso %g", lambda), sprintf("\"prior\": \"laplace\", \"variance\": %s", number(2 / p["l1"]^2)),
      setNames(fit_glmnet(lambda, 1), labels))
  p <- penalty(lambda, 0.4)
  add(sprintf("elastic net %g", lambda), sprintf("\"prior\": \"elastic-net\", \"l1\": %s, \"l2\": %s", number(p["l1"]), number(p["l2"])),
      setNames(fit_glmnet(lambda, 0.4), labels))
}
p <- penalty(0.1, 1, w)
add("lasso with weights", sprintf("\"prior\": \"laplace\", \"variance\": %s, \"weights\": true", number(2 / p["l1"]^2)),
    setNames(fit_glmnet(0.1, 1, w), labels))
total <- n; s <- sqrt(mean((y - mean(y))^2)); lambda <- 0.2; alpha <- 0.3
f <- glmnet(x, y, family = "gaussian", alpha = alpha, standardize = FALSE, thresh = 1e-22, maxit = 1e8, lambda = lambda)
add("glmnet as called", sprintf("\"prior\": \"elastic-net\", \"l1\": %s, \"l2\": %s", number(lambda * alpha * total),
    number(lambda * (1 - alpha) * total / s)), setNames(as.vector(coef(f)), labels))
# Prior means: ridge on y - X m, then m is added. The normal equations, solved in R.
m <- c(1, 0, -0.5, 0, 2); l2 <- 1 / 0.05
xc <- scale(x, scale = FALSE); r <- y - mean(y) - xc %*% m
b <- m + solve(t(xc) %*% xc + l2 * diag(5), t(xc) %*% r)
add("ridge with means", "\"prior\": \"gaussian\", \"variance\": 0.05, \"means\": [1, 0, -0.5, 0, 2]",
    setNames(c(mean(y) - sum(colMeans(x) * b), b), labels))
writeLines(c("[", paste(cases, collapse = ",\n"), "]"), "fits.json")
