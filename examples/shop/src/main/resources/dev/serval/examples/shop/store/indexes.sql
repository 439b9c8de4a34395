-- Made after the rows, which is faster.
CREATE INDEX book_subject_title ON book (subject, title);
CREATE INDEX book_subject_published ON book (subject, published DESC, id);
CREATE UNIQUE INDEX customer_user_name ON customer (user_name);
CREATE UNIQUE INDEX purchase_ticket ON purchase (ticket);
CREATE INDEX purchase_customer ON purchase (customer, id);
CREATE INDEX purchase_line_book ON purchase_line (book);
