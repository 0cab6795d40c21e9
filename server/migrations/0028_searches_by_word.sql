-- Searches for a number beside a common word, as in "invoice 4711".

-- Whatever follows a space or a sign in a search begins a word, and the words that begin so are close together in an index, however long they are.
-- Sequences of three letters are not enough for that: nearly every row of texts has those of a number somewhere. Both are in one index, which looks no
-- further where either of them has nothing. The expression is that of transfers.list.ts; it is written out, so that the
-- workers of a distributed database need no function for it.
create index transfer_texts_by_words_and_parts on transfer_texts using gin (words gin_trgm_ops, array_to_tsvector(
  array_remove(string_to_array(translate(words, E'\n!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', '                                 '), ' '), '')));
drop index transfer_texts_by_words;
alter index transfer_texts_by_words_and_parts rename to transfer_texts_by_words;
