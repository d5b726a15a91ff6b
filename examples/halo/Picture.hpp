// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_PICTURE_HPP
#define HALO_PICTURE_HPP

/// \file
/// Numbers as a picture.

#include <string>
#include <vector>

/// Writes a PNG file with a square of pixels for each number from 0 (dark) to 1 (bright).
/// \param values `width` numbers for each row, the bottom row first
/// \throws std::runtime_error if the file cannot be written
void write_picture(std::string const& file, int width, std::vector<double> const& values);

#endif
