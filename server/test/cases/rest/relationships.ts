import type { RestCase } from './case.ts'

export const relationships: readonly RestCase[] = [
  {
    rule: '5.1 many-to-one',
    request: 'GET /books?select=id,authors(name)&id=in.(1,5)&order=id',
    status: 200,
    json: [
      { id: 1, authors: { name: 'Ursula' } },
      { id: 5, authors: null },
    ],
  },
  {
    rule: '5.1 one-to-many',
    request: 'GET /authors?select=id,books(id)&id=in.(2,4)&order=id',
    status: 200,
    json: [
      { id: 2, books: [{ id: 2 }, { id: 3 }] },
      { id: 4, books: [] },
    ],
  },
  {
    rule: '5.1 one-to-one, both ways',
    request: 'GET /books?select=id,covers(url,books(id))&id=eq.1',
    status: 200,
    json: [{ id: 1, covers: { url: 'https://covers/1', books: { id: 1 } } }],
  },
  {
    rule: '5.1 many-to-many',
    request: 'GET /books?select=id,shelves(name)&id=in.(2,3)&order=id',
    status: 200,
    json: [
      { id: 2, shelves: [{ name: 'window' }, { name: 'back' }] },
      { id: 3, shelves: [] },
    ],
  },
  {
    rule: '5.1 computed',
    request: 'GET /authors?select=id,latest_book(id)&id=eq.2',
    status: 200,
    json: [{ id: 2, latest_book: { id: 3 } }],
  },
  {
    rule: '5.1 a view inherits keys',
    request: 'GET /priced_books?select=book_id,authors(name),covers(url)&book_id=eq.1',
    status: 200,
    json: [{ book_id: 1, authors: { name: 'Ursula' }, covers: { url: 'https://covers/1' } }],
  },
  {
    rule: '5.1 a view as the far end',
    request: 'GET /authors?select=id,priced_books(shouted)&id=eq.1',
    status: 200,
    json: [{ id: 1, priced_books: [{ shouted: 'THE DISPOSSESSED' }] }],
  },
  {
    rule: '5.2 by the foreign key’s name',
    request: 'GET /shipments?select=shipments_to_fkey(city)',
    status: 200,
    json: [{ shipments_to_fkey: { city: 'Oslo' } }],
  },
  {
    rule: '5.2 by the column',
    request: 'GET /shipments?select=from_id(city)',
    status: 200,
    json: [{ from_id: { city: 'Rome' } }],
  },
  {
    rule: '5.2 by hint',
    request: 'GET /shipments?select=a:addresses!shipments_from_fkey(city),b:addresses!to_id(city)',
    status: 200,
    json: [{ a: { city: 'Rome' }, b: { city: 'Oslo' } }],
  },
  {
    rule: '5.2 self-references',
    request: 'GET /categories?select=id,up:parent_id(id),categories(id)&id=in.(1,2)&order=id',
    status: 200,
    json: [
      { id: 1, up: null, categories: [{ id: 2 }, { id: 3 }] },
      { id: 2, up: { id: 1 }, categories: [] },
    ],
  },
  {
    rule: '5.2 several',
    request: 'GET /shipments?select=addresses(city)',
    status: 300,
    json: {
      code: 'PGRST201',
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'shipments with addresses',
          relationship: 'shipments_from_fkey using shipments(from_id) and addresses(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'shipments with addresses',
          relationship: 'shipments_to_fkey using shipments(to_id) and addresses(id)',
        },
      ],
      hint: "Try changing 'addresses' to one of the following: 'addresses!shipments_from_fkey', 'addresses!shipments_to_fkey'. Find the desired relationship in the 'details' key.",
      message: "Could not embed because more than one relationship was found for 'shipments' and 'addresses'",
    },
  },
  {
    rule: '5.2 none',
    request: 'GET /books?select=shelvess(id)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'books' and 'shelvess' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'shelves' instead of 'shelvess'.",
      message: "Could not find a relationship between 'books' and 'shelvess' in the schema cache",
    },
  },
  {
    rule: '5.1 row security holds for embeds',
    request: 'GET /notes?select=body',
    as: 'authenticated_00000000-0000-0000-0000-000000000001',
    status: 200,
    json: [{ body: 'of one' }],
  },
  {
    rule: '5.1 a key of several columns, to many',
    request: 'GET /series?select=title,volumes(id)&order=code&volumes.order=id',
    status: 200,
    json: [
      { title: 'One', volumes: [{ id: 1 }, { id: 2 }] },
      { title: 'Two', volumes: [] },
    ],
  },
  {
    rule: '5.1 from a partitioned table',
    request: 'GET /sales?select=id,books(title)&order=id',
    status: 200,
    json: [
      { id: 1, books: { title: 'The Dispossessed' } },
      { id: 2, books: { title: 'The Dispossessed' } },
      { id: 3, books: { title: 'Invisible Cities' } },
    ],
  },
  {
    rule: '5.1 to a partitioned table',
    request: 'GET /books?select=id,sales(id,year)&id=eq.1&sales.order=id',
    status: 200,
    json: [
      {
        id: 1,
        sales: [
          { id: 1, year: 2024 },
          { id: 2, year: 2025 },
        ],
      },
    ],
  },
  {
    rule: '5.1 a junction with more columns in its key',
    request: 'GET /books?select=id,readers!loans(name)&id=eq.1&readers.order=id',
    status: 200,
    json: [{ id: 1, readers: [{ name: 'Ada' }, { name: 'Bob' }] }],
  },
  {
    rule: '5.1 several junctions',
    request: 'GET /books?select=id,readers(name)&id=eq.1',
    status: 300,
    json: {
      code: 'PGRST201',
      details: [
        {
          cardinality: 'many-to-many',
          embedding: 'books with readers',
          relationship: 'loans using loans_book_id_fkey(book_id) and loans_reader_id_fkey(reader_id)',
        },
        {
          cardinality: 'many-to-many',
          embedding: 'books with readers',
          relationship: 'reviews using reviews_book_id_fkey(book_id) and reviews_reader_id_fkey(reader_id)',
        },
      ],
      hint: "Try changing 'readers' to one of the following: 'readers!loans', 'readers!reviews'. Find the desired relationship in the 'details' key.",
      message: "Could not embed because more than one relationship was found for 'books' and 'readers'",
    },
  },
  {
    rule: '5.1 a junction’s keys must lie in its primary key',
    request: 'GET /shelves?select=id,categories(id)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'shelves' and 'categories' in the schema 'public', but no matches were found.",
      hint: null,
      message: "Could not find a relationship between 'shelves' and 'categories' in the schema cache",
    },
  },
  {
    rule: '5.1 a junction must be exposed',
    request: 'GET /shelves?select=id,readers(id)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'shelves' and 'readers' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'reservations' instead of 'readers'.",
      message: "Could not find a relationship between 'shelves' and 'readers' in the schema cache",
    },
  },
  {
    rule: '5.1 a materialized view inherits keys',
    request: 'GET /shelved?select=name,books(title)&order=book_id&limit=1',
    status: 200,
    json: [{ name: 'window', books: { title: 'The Dispossessed' } }],
  },
  {
    rule: '5.1 a view of a view inherits keys',
    request: 'GET /cheap_books?select=title,authors(name)&order=book_id&limit=1',
    status: 200,
    json: [{ title: 'Cosmicomics', authors: { name: 'Italo' } }],
  },
  {
    rule: '5.1 both ends are views',
    request: 'GET /cheap_books?select=book_id,sold(year)&order=book_id&limit=1',
    status: 200,
    json: [{ book_id: 3, sold: [] }],
  },
  {
    rule: '5.1 a view of a hidden table inherits its keys',
    request: 'GET /crates?select=id,volumes(publisher)',
    status: 200,
    json: [{ id: 1, volumes: { publisher: 'acme' } }],
  },
  {
    rule: '5.1 a union loses keys',
    request: 'GET /mixed_books?select=id,authors(name)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'mixed_books' and 'authors' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'priced_books' instead of 'mixed_books'.",
      message: "Could not find a relationship between 'mixed_books' and 'authors' in the schema cache",
    },
  },
  {
    rule: '5.1 a computed relationship replaces the detected one',
    request: 'GET /volumes?select=id,series(title)&id=eq.1',
    status: 200,
    json: [{ id: 1, series: { title: 'computed One' } }],
  },
  {
    rule: '5.1 a computed relationship to many',
    request: 'GET /books?select=id,siblings(id)&id=eq.2',
    status: 200,
    json: [{ id: 2, siblings: [{ id: 3 }] }],
  },
  {
    rule: '5.1 a computed relationship with inner',
    request: 'GET /books?select=id,siblings!inner(id)&order=id',
    status: 200,
    json: [
      { id: 2, siblings: [{ id: 3 }] },
      { id: 3, siblings: [{ id: 2 }] },
    ],
  },
  {
    rule: '5.1 a key of one column that is unique is to-one both ways',
    request: 'GET /covers?select=book_id,books(title)&order=book_id&limit=1',
    status: 200,
    json: [{ book_id: 1, books: { title: 'The Dispossessed' } }],
  },
  {
    rule: '5.2 by a referenced column of the target',
    request: 'GET /authors?select=id,books!author_id(id)&id=eq.1',
    status: 200,
    json: [{ id: 1, books: [{ id: 1 }] }],
  },
  {
    rule: '5.2 by a junction',
    request: 'GET /readers?select=name,books!reviews(title)&id=eq.1',
    status: 200,
    json: [{ name: 'Ada', books: [{ title: 'The Dispossessed' }] }],
  },
  {
    rule: '5.2 a hint that fits nothing',
    request: 'GET /books?select=authors!nope(name)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'books' and 'authors' using the hint 'nope' in the schema 'public', but no matches were found.",
      hint: null,
      message: "Could not find a relationship between 'books' and 'authors' in the schema cache",
    },
  },
  {
    rule: '5.2 a near miss, with a hint',
    request: 'GET /books?select=author(name)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'books' and 'author' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'authors' instead of 'author'.",
      message: "Could not find a relationship between 'books' and 'author' in the schema cache",
    },
  },
  {
    rule: '5.2 the many rows of a self-reference by its column',
    request: 'GET /categories?select=id,categories!parent_id(id)&id=eq.1&categories.order=id',
    status: 200,
    json: [{ id: 1, categories: [{ id: 2 }, { id: 3 }] }],
  },
  {
    rule: '5.2 an embed’s own embed that is unknown',
    request: 'GET /authors?select=books(nope(id))',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'books' and 'nope' in the schema 'public', but no matches were found.",
      hint: null,
      message: "Could not find a relationship between 'books' and 'nope' in the schema cache",
    },
  },
  {
    rule: '5.2 the many rows by the constraint’s name',
    request: 'GET /authors?select=books_author_id_fkey(id)&id=eq.1',
    status: 200,
    json: [{ books_author_id_fkey: [{ id: 1 }] }],
  },
]
