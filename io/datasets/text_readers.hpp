#ifndef BCR_IO_DATASETS_TEXT_READERS_HPP
#define BCR_IO_DATASETS_TEXT_READERS_HPP

#include "io/datasets/import_request.hpp"

#include <functional>

namespace bcr::io {

/// 20 Newsgroups. As published by date, a folder for each group and a file for each message, in any 8-bit encoding: the
/// words are those of the subject and of the body behind the first empty line, by WordRule::letters; messages come in
/// the order of their numbers. Or one document a line, as Cachopo prepared them: the group, then the words. Groups are
/// classes in alphabetical order, and each of the twenty must be there.
///
/// Paths: a directory that holds 20news-bydate-train and 20news-bydate-test (looks at part), one of these two, or
/// files of lines.
TextSet read_newsgroups(const ImportRequest& request);

/// WikiText (2 or 103) as sentences without labels: blank lines and headings (" = ...") are passed over; sentences as
/// split_sentences says, of 3 to 60 words, that begin with a letter or "<unk>".
///
/// Paths: files, or a directory with wiki.train.tokens, wiki.valid.tokens and wiki.test.tokens (looks at part; all is
/// the three of them).
TextSet read_wikitext(const ImportRequest& request);

/// One document a line, without labels; words stand between spaces. Paths: files.
TextSet read_text_lines(const ImportRequest& request);

/// IMDB reviews: folders neg and pos with a file for each review, in the order of their numbers; or one review a line,
/// without labels. Paths: the directory aclImdb as unpacked (looks at part), or files of lines.
TextSet read_imdb(const ImportRequest& request);

/// UTF-8 files in folders: each folder under a path is a class named after it, in the order of the names. Paths:
/// directories. Looks at words (by which rule) and at class_names: if given, these folders in this order.
TextSet read_text_folder(const ImportRequest& request);

/// Tables of comma-separated values (RFC 4180) in UTF-8 with a text and a label in each row. Columns that are given as
/// numbers mean a table without header; several text columns are joined. Classes are the labels in alphabetical order,
/// or those of class_names, each of which must occur. Looks at words, text_columns, label_column. Paths: files.
TextSet read_text_table(const ImportRequest& request);

/// The words of a file.
using ReadWords = std::function<std::vector<std::string>(const std::filesystem::path& file)>;

/// Adds the files of root/class for each of the classes; ids are "class/file". Files come in the order of the number
/// they begin with, then of their names. IoErrors that name a class without a
/// folder, or without a file.
void add_class_folders(TextSetBuilder& documents, const std::filesystem::path& root,
                       const std::vector<std::string>& classes, const ReadWords& read, const Progress& progress);

}  // namespace bcr::io

#endif
