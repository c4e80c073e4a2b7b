// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/boundary_view.hpp"

namespace lbm {

BoundaryView placed(BoundaryView view, const BoundaryOffsets& at, const std::byte* base) {
  const auto place = [&]<class T>(const T*& pointer, const std::optional<std::size_t>& offset) {
    pointer = offset ? reinterpret_cast<const T*>(base + *offset) : nullptr;
  };
  place(view.conditions, at.conditions);
  place(view.profiles, at.profiles);
  place(view.modes, at.modes);
  for (int f = 0; f < 6; ++f) place(view.patch_of[f], at.patch_of[f]);
  place(view.masks, at.masks);
  place(view.mask_of, at.mask_of);
  place(view.fluid_words, at.fluid_words);
  place(view.starts, at.starts);
  place(view.starts_of, at.starts_of);
  place(view.lists, at.lists);
  place(view.list_of, at.list_of);
  place(view.cells, at.cells);
  place(view.links, at.links);
  place(view.bodies, at.bodies);
  place(view.images, at.images);
  place(view.forces, at.forces);
  place(view.force_of, at.force_of);
  return view;
}

}  // namespace lbm
