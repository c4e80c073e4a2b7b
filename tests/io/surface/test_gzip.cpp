// SPDX-License-Identifier: Apache-2.0

// Files packed by gzip.
#include <zlib.h>

#include "io/surface/file_bytes.hpp"
#include "tests/io/surface/surface_support.hpp"

namespace {

using lbm::testing::contains;

std::string packed(const std::string& text, int level = 9) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

const std::string obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
const std::string stl =
    "solid a\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0 endloop "
    "endfacet\n"
    "endsolid\n";

class Gzip : public lbm::testing::SurfaceFile {};

TEST_F(Gzip, AllFormatsAreRead) {
  EXPECT_EQ(read(packed(obj), "a.obj.gz").triangles.size(), 1U);
  EXPECT_EQ(read(packed(obj), "a.obj").triangles.size(), 1U);
  EXPECT_EQ(read(packed(stl), "a.stl.gz", {"a"}).triangles.size(), 1U);
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0 1 0 0 1 1 0 3 0 1 "
      "2\n";
  EXPECT_EQ(read(packed(ply), "a.ply.gz").triangles.size(), 1U);
  std::string binary(84 + 50, '\0');
  binary[80] = 1;
  EXPECT_EQ(read(packed(binary), "a.stl.gz").triangles.size(), 1U);
}

TEST_F(Gzip, PartsFollowEachOther) {
  EXPECT_EQ(read(packed(obj) + packed("f 3 2 1\n"), "a.obj.gz").triangles.size(), 2U);
}

TEST_F(Gzip, MessagesCountUnpackedLines) {
  EXPECT_TRUE(contains(error_of(packed("v 0 0 0\nf 1 2 3\n"), "a.obj.gz"), "2: found point 2"));
}

TEST_F(Gzip, SaysWhatIsDamaged) {
  const std::string bytes = packed(obj);
  EXPECT_TRUE(contains(error_of(bytes.substr(0, bytes.size() - 9), "a.obj.gz"),
                       "is a damaged gzip file (it is cut short)"));
  std::string wrong = bytes;
  wrong[bytes.size() - 6] ^= 1;  // of the checksum
  EXPECT_TRUE(contains(error_of(wrong, "a.obj.gz"), "its bytes do not fit together"));
  EXPECT_TRUE(contains(error_of(packed(""), "a.obj.gz"), "is a gzip file of no bytes"));
}

// 64 times the size and 1 MiB.
TEST_F(Gzip, ABombIsRefusedBeforeItIsUnpacked) {
  const std::string bomb = packed(std::string(20U << 20U, '\n'));
  EXPECT_LT(bomb.size(), 100'000U);
  EXPECT_TRUE(contains(error_of(bomb, "a.obj.gz"), "unpack to more than 64 times as many"));
  EXPECT_EQ(read(packed(obj + std::string(500'000, '\n')), "a.obj.gz").triangles.size(), 1U);
}

TEST_F(Gzip, ALimitOfTimeIsOneOfSize) {
  // Random numbers keep the ratio below 64.
  std::string text = obj;
  std::uint32_t random = 1;
  while (text.size() < (1U << 20U))
    text += "# " + std::to_string(random = random * 1664525U + 1013904223U) + "\n";
  text += std::string(32U << 20U, '\n');
  const auto path = file(packed(text, 1), "a.obj.gz");
  EXPECT_EQ(lbm::io::read_surface(path).triangles.size(), 1U);
  const lbm::TimeLimit later{std::chrono::duration<double>(1000)};
  EXPECT_THROW(lbm::io::read_surface(path, {{}, later}), lbm::TimeLimitReached);
}

}  // namespace
