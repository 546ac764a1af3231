// A row of a list that gives the values of an enumeration their names in a model file's records.
#pragma once

namespace lazylogit::model {

template <class Enum>
struct Named {
  Enum value;
  const char* name;
};

}  // namespace lazylogit::model
