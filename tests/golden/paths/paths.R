# Paths of glmnet on the low birth weights (tests/golden/cases/data/birthwt.csv): Rscript paths.R >paths.json
# Its error is the mean over rows of -log p plus lambda ((1 - alpha) |b|^2/2 + alpha |b|_1), with standardize = TRUE on columns
# divided by their deviation with 1/n.
suppressMessages(library(glmnet))
folder <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
data <- read.csv(file.path(folder, "..", "cases", "data", "birthwt.csv"))
label <- "y"
x <- as.matrix(data[, setdiff(names(data), label)])
y <- data[[label]]
number <- function(v) sprintf("%.15g", v)
cases <- c()
for (standardize in c(TRUE, FALSE)) for (alpha in c(1, 0.5, 0)) {
  fit <- glmnet(x, y, family = "binomial", alpha = alpha, standardize = standardize, nlambda = 8, thresh = 1e-14, maxit = 1e7)
  # The first ridge fit is that of an infinite lambda, whatever lambda it is printed with.
  for (k in seq_along(fit$lambda)[if (alpha == 0) -1 else TRUE]) {
    b <- c(fit$a0[k], as.numeric(fit$beta[, k]))
    names <- c("(intercept)", colnames(x))
    cases <- c(cases, sprintf('{"standardize": %s, "alpha": %s, "lambda": %s, "rows": %d, "coefficients": {%s}}',
                              tolower(standardize), number(alpha), number(fit$lambda[k]), nrow(x),
                              paste(sprintf('"%s": %s', names, number(b)), collapse = ", ")))
  }
}
cat("[\n", paste(cases, collapse = ",\n"), "\n]\n", sep = "")
