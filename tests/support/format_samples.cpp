#include "tests/support/format_samples.hpp"

#include "io/datasets/image_readers.hpp"
#include "io/datasets/imagenet_classes.hpp"
#include "io/datasets/registry.hpp"
#include "io/images/picture_file.hpp"
#include "tests/support/scratch_directory.hpp"

#include <stdexcept>

namespace bcr::test {

namespace {

FormatSample idx_sample(const Packing packing) {
  FormatSample sample{packing == Packing::plain ? "idx" : "idx_gzip", "idx"};
  const io::ImageSet set = patterned_set(3, 5, 4, 1, 10);
  sample.expected = set;
  const Bytes images = idx_images(set);
  const Bytes labels = idx_labels(set);
  const bool plain = packing == Packing::plain;
  sample.files = {{"images", plain ? images : gzip(images)}, {"labels", plain ? labels : gzip(labels)}};
  sample.paths = {"images", "labels"};
  return sample;
}

FormatSample cifar_sample(const std::size_t heads) {
  FormatSample sample{heads == 1 ? "cifar10" : "cifar100", heads == 1 ? "cifar10" : "cifar100"};
  io::ImageSet set = patterned_set(2, 32, 32, 3, heads == 1 ? 10 : 100);
  sample.files = {{"batch.bin", cifar_records(set, heads)}};
  sample.paths = {"batch.bin"};
  set.class_names = heads == 1 ? io::cifar10_class_names() : io::cifar100_fine_class_names();
  sample.expected = set;
  const std::size_t record = 3072 + heads;
  sample.may_be_cut = [record](const FormatSample::File&, const std::size_t length) {
    return length > 0 && length % record == 0;
  };
  return sample;
}

FormatSample svhn_sample(const std::string& name, const Bytes& bytes, const io::ImageSet& set) {
  FormatSample sample{name, "svhn"};
  sample.expected = set;
  sample.files = {{"digits.mat", bytes}};
  sample.paths = {"digits.mat"};
  return sample;
}

FormatSample npy_sample() {
  FormatSample sample{"npy", "npy"};
  const io::ImageSet set = patterned_set(3, 4, 5, 3, 3);
  sample.expected = set;
  sample.files = {{"images.npy", npy("|u1", {3, 4, 5, 3}, set.images)},
                  {"labels.npy", npy("<i8", {3}, int64_labels(set, 0))}};
  sample.paths = {"images.npy", "labels.npy"};
  return sample;
}

FormatSample npz_sample(const Packing packing) {
  FormatSample sample{packing == Packing::plain ? "npz" : "npz_deflated", "imagenet-batches"};
  io::ImageSet set = patterned_set(3, 4, 4, 3, 1000);
  set.class_names = io::imagenet_classes();
  sample.expected = set;
  const Bytes mean(48 * 8, 0);
  sample.files = {{"batch.npz", npz({{"data.npy", npy("|u1", {3, 48}, planar_pixels(set))},
                                     {"labels.npy", npy("<i8", {3}, int64_labels(set, 1))},
                                     {"mean.npy", npy("<f8", {48}, mean)}},
                                    packing)}};
  sample.paths = {"batch.npz"};
  return sample;
}

/// A set of one image per picture as the decoder gives it: JPEG is lossy.
io::ImageSet decoded_set(const std::vector<io::Picture>& pictures, const std::vector<std::int32_t>& labels,
                         const std::vector<std::string>& names) {
  io::ImageSet set;
  set.count = pictures.size();
  set.height = pictures[0].height;
  set.width = pictures[0].width;
  set.channels = 3;
  for (const io::Picture& picture : pictures)
    set.images.insert(set.images.end(), picture.rgb.begin(), picture.rgb.end());
  set.labels = labels;
  set.class_names = names;
  return set;
}

FormatSample folder_sample() {
  FormatSample sample{"folder", "folder"};
  const io::ImageSet set = patterned_set(4, 8, 8, 3, 2);
  const Bytes photo = jpeg(picture_of(set, 2), 90);
  sample.files = {{"cat/a.png", io::encode_png(picture_of(set, 0))},
                  {"cat/b.jpg", photo},
                  {"dog/a.PNG", io::encode_png(picture_of(set, 1))},
                  {"dog/b.bmp", bmp(picture_of(set, 3), 24, Rows::from_below)}};
  sample.paths = {""};
  sample.request.size = 8;
  sample.expected =
      decoded_set({picture_of(set, 0), io::decode_jpeg(photo, "photo"), picture_of(set, 1), picture_of(set, 3)},
                  {0, 0, 1, 1}, {"cat", "dog"});
  return sample;
}

Bytes text(const std::string_view content) {
  return {content.begin(), content.end()};
}

FormatSample tiny_imagenet_sample() {
  FormatSample sample{"tiny_imagenet", "tiny-imagenet"};
  const io::ImageSet set = patterned_set(4, 16, 16, 3, 2);
  std::vector<Bytes> photos;
  for (std::size_t i = 0; i < 4; ++i) photos.push_back(jpeg(picture_of(set, i), 90));
  sample.files = {
      {"wnids.txt", text("n00000009\nn00000001\n")},
      {"words.txt", text("n00000001\tgoldfish, Carassius auratus\nn00000009\tcrane\n")},
      {"train/n00000009/images/n00000009_0.JPEG", photos[0]},
      {"train/n00000001/images/n00000001_0.JPEG", photos[1]},
      {"val/images/val_0.JPEG", photos[2]},
      {"val/images/val_1.JPEG", photos[3]},
      {"val/val_annotations.txt", text("val_1.JPEG\tn00000001\t0\t0\t9\t9\nval_0.JPEG\tn00000009\t1\t1\t8\t8\n")}};
  sample.paths = {""};
  sample.request.part = io::Part::all;
  sample.request.size = 16;
  std::vector<io::Picture> pictures;
  for (const std::size_t i : {1, 0, 2, 3}) pictures.push_back(io::decode_jpeg(photos[i], "photo"));
  sample.expected = decoded_set(pictures, {0, 1, 1, 0}, {"n00000001 goldfish", "n00000009 crane"});
  return sample;
}

/// Documents in words, with labels; what a text reader must deliver.
io::TextSet text_set(const std::vector<std::vector<std::string>>& documents, const std::vector<std::int32_t>& labels,
                     std::vector<std::string> class_names) {
  io::TextSetBuilder builder;
  for (std::size_t i = 0; i < documents.size(); ++i) builder.add(documents[i], labels[i], {.file = "sample"});
  io::TextSet set = builder.take();
  set.class_names = std::move(class_names);
  return set;
}

/// Nothing in a text says how long it is.
FormatSample text_sample(const std::string& name, const std::string& format) {
  FormatSample sample{name, format};
  sample.may_be_cut = [](const FormatSample::File&, const std::size_t length) { return length > 0; };
  return sample;
}

const std::vector<std::string> groups = {"alt.atheism",
                                         "comp.graphics",
                                         "comp.os.ms-windows.misc",
                                         "comp.sys.ibm.pc.hardware",
                                         "comp.sys.mac.hardware",
                                         "comp.windows.x",
                                         "misc.forsale",
                                         "rec.autos",
                                         "rec.motorcycles",
                                         "rec.sport.baseball",
                                         "rec.sport.hockey",
                                         "sci.crypt",
                                         "sci.electronics",
                                         "sci.med",
                                         "sci.space",
                                         "soc.religion.christian",
                                         "talk.politics.guns",
                                         "talk.politics.mideast",
                                         "talk.politics.misc",
                                         "talk.religion.misc"};

std::vector<std::int32_t> one_of_each(const std::size_t count) {
  std::vector<std::int32_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::int32_t>(i);
  return labels;
}

FormatSample newsgroups_sample() {
  FormatSample sample = text_sample("newsgroups", "20newsgroups");
  std::vector<std::vector<std::string>> documents;
  for (const std::string& group : groups) {
    sample.files.push_back({"20news-bydate-test/" + group + "/9" + std::to_string(documents.size()),
                            text("From: secret@sender.org\nSubject: Re: Launch\n of it\nLines: 3\n\nMy r\xf4le "
                                 "is THE-first\n\nof all; x")});
    documents.push_back({"launch", "the", "first", "all"});
  }
  sample.paths = {""};
  sample.request.part = io::Part::test;
  sample.expected = text_set(documents, one_of_each(groups.size()), groups);
  return sample;
}

FormatSample newsgroups_lines_sample() {
  FormatSample sample = text_sample("newsgroups_lines", "20newsgroups");
  std::vector<std::vector<std::string>> documents;
  std::string lines;
  for (const std::string& group : groups) {
    lines += group + "\tone Word " + group + "\n";
    documents.push_back({"one", "word", group});
  }
  sample.files = {{"train.txt", text(lines)}};
  sample.paths = {"train.txt"};
  sample.expected = text_set(documents, one_of_each(groups.size()), groups);
  return sample;
}

FormatSample wikitext_sample() {
  FormatSample sample = text_sample("wikitext", "wikitext");
  const std::string article =
      " \n = Heading = \n \n One two three . Short . <unk> @-@ side comes ! ) And no end\n"
      " = = Section . = = \n 1990 was a year . @ , @ no start . \xc3\x89t\xc3\xa9 is here .\n";
  sample.files = {{"wiki.test.tokens", text(article)}};
  sample.paths = {""};
  sample.request.part = io::Part::test;
  sample.expected = text_set(
      {{"one", "two", "three", "."}, {"<unk>", "@-@", "side", "comes", "!", ")"}, {"\u00e9t\u00e9", "is", "here", "."}},
      {0, 0, 0}, {"unlabelled"});
  return sample;
}

FormatSample text_lines_sample() {
  FormatSample sample = text_sample("text_lines_gzip", "text-lines");
  sample.may_be_cut = [](const FormatSample::File&, const std::size_t) { return false; };  // gzip tells
  sample.files = {{"train.en.gz", gzip(text("Two men , outside .\r\nA\u00a0dog runs"))}};
  sample.paths = {"train.en.gz"};
  sample.expected = text_set({{"two", "men", ",", "outside", "."}, {"a", "dog", "runs"}}, {0, 0}, {"unlabelled"});
  return sample;
}

FormatSample imdb_sample() {
  FormatSample sample = text_sample("imdb", "imdb");
  sample.files = {{"test/neg/0_2.txt", text("Not good.<br />Not")}, {"test/pos/0_10.txt", text("Good")}};
  sample.paths = {""};
  sample.request.part = io::Part::test;
  sample.expected = text_set({{"not", "good.<br", "/>not"}, {"good"}}, {0, 1}, {"neg", "pos"});
  return sample;
}

FormatSample text_folder_sample() {
  FormatSample sample = text_sample("text_folder", "text-folder");
  sample.files = {{"birds/b.txt", text("A Wren sings")}, {"aircraft/a.txt", text("The jet; the JET")}};
  sample.paths = {""};
  sample.request.words = io::WordRule::letters;
  sample.expected = text_set({{"the", "jet", "the", "jet"}, {"wren", "sings"}}, {0, 1}, {"aircraft", "birds"});
  return sample;
}

FormatSample text_csv_sample() {
  FormatSample sample = text_sample("text_csv", "text-csv");
  sample.files = {{"set.csv", text("id,label,text\n1,sport,\"He said \"\"go\"\", then\nran\"\n2,art,A song\n")}};
  sample.paths = {"set.csv"};
  sample.expected = text_set({{"he", "said", "\"go\",", "then", "ran"}, {"a", "song"}}, {1, 0}, {"art", "sport"});
  return sample;
}

std::vector<FormatSample> make_samples() {
  const io::ImageSet digits = patterned_set(11, 4, 3, 3, 10);
  const ScratchDirectory scratch;
  return {idx_sample(Packing::plain),
          idx_sample(Packing::deflated),
          cifar_sample(1),
          cifar_sample(2),
          svhn_sample("svhn_mat5", mat5_digits(digits, Packing::plain), digits),
          svhn_sample("svhn_mat5_compressed", mat5_digits(digits, Packing::deflated), digits),
          svhn_sample("svhn_mat73", mat73_digits(digits, scratch.path()), digits),
          npy_sample(),
          npz_sample(Packing::plain),
          npz_sample(Packing::deflated),
          folder_sample(),
          tiny_imagenet_sample(),
          newsgroups_sample(),
          newsgroups_lines_sample(),
          wikitext_sample(),
          text_lines_sample(),
          imdb_sample(),
          text_folder_sample(),
          text_csv_sample()};
}

}  // namespace

std::vector<std::string> documents_of(const io::TextSet& set) {
  std::vector<std::string> documents(set.count());
  for (std::size_t i = 0; i < set.count(); ++i) {
    for (std::uint64_t t = set.offsets[i]; t < set.offsets[i + 1]; ++t) {
      documents[i].append(set.vocabulary.text(set.tokens[t])).push_back(' ');
    }
  }
  return documents;
}

void FormatSample::write(const std::filesystem::path& directory) const {
  for (const File& file : files) write_bytes(directory / file.name, file.bytes);
}

io::ImportedSet FormatSample::read(const std::filesystem::path& directory) const {
  io::ImportRequest complete = request;
  for (const std::string& path : paths) complete.paths.push_back(path.empty() ? directory : directory / path);
  return io::import_set(format, complete);
}

std::vector<std::string> sample_names() {
  return {"idx",        "idx_gzip",
          "cifar10",    "cifar100",
          "svhn_mat5",  "svhn_mat5_compressed",
          "svhn_mat73", "npy",
          "npz",        "npz_deflated",
          "folder",     "tiny_imagenet",
          "newsgroups", "newsgroups_lines",
          "wikitext",   "text_lines_gzip",
          "imdb",       "text_folder",
          "text_csv"};
}

const std::vector<FormatSample>& format_samples() {
  static const std::vector<FormatSample> samples = make_samples();
  return samples;
}

const FormatSample& format_sample(const std::string& name) {
  for (const FormatSample& sample : format_samples()) {
    if (sample.name == name) return sample;
  }
  throw std::runtime_error("no format sample " + name);
}

}  // namespace bcr::test
