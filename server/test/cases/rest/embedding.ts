import type { RestCase } from './case.ts'

export const embedding: readonly RestCase[] = [
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
    rule: '5 aliases',
    request: 'GET /books?select=writer:authors(who:name)&id=eq.1',
    status: 200,
    json: [{ writer: { who: 'Ursula' } }],
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
    rule: '5.3 inner keeps parents with a match',
    request: 'GET /authors?select=id,books!inner(id)&books.title=like.Cos*',
    status: 200,
    json: [{ id: 2, books: [{ id: 3 }] }],
  },
  {
    rule: '5.3 counts follow inner',
    request: 'GET /authors?select=id,books!inner(id)&limit=1&order=id',
    headers: { prefer: 'count=exact' },
    status: 206,
    answer: { 'content-range': '0-0/3' },
  },
  {
    rule: '5.3 inner on a to-one',
    request: 'GET /books?select=id,authors!inner(name)&authors.name=eq.Italo&order=id',
    status: 200,
    json: [
      { id: 2, authors: { name: 'Italo' } },
      { id: 3, authors: { name: 'Italo' } },
    ],
  },
  {
    rule: '5.3 filter, order and limit of an embed',
    request: 'GET /authors?select=id,books(id)&id=eq.2&books.order=id.desc&books.limit=1&books.id=lt.99',
    status: 200,
    json: [{ id: 2, books: [{ id: 3 }] }],
  },
  {
    rule: '5.3 a logic tree of an embed',
    request: 'GET /authors?select=id,books(id)&id=eq.2&books.or=(id.eq.2,id.eq.99)',
    status: 200,
    json: [{ id: 2, books: [{ id: 2 }] }],
  },
  {
    rule: '5.3 an offset empties a to-one',
    request: 'GET /books?select=id,authors(name)&id=eq.1&authors.offset=1',
    status: 200,
    json: [{ id: 1, authors: null }],
  },
  {
    rule: '5.3 embed=is.null',
    request: 'GET /authors?select=id,books(id)&books=is.null',
    status: 200,
    json: [{ id: 4, books: [] }],
  },
  {
    rule: '5.3 embed=not.is.null with an empty embed',
    request: 'GET /authors?select=id,books()&books=not.is.null&order=id',
    headers: { prefer: 'count=exact' },
    status: 200,
    json: [{ id: 1 }, { id: 2 }, { id: 3 }],
    answer: { 'content-range': '0-2/3' },
  },
  {
    rule: '5.3 null tests inside or',
    request: 'GET /books?select=id,covers(),authors()&or=(covers.not.is.null,authors.is.null)&order=id',
    status: 200,
    json: [{ id: 1 }, { id: 2 }, { id: 5 }],
  },
  {
    rule: '5.3 nested embeds and their filters',
    request: 'GET /authors?select=id,books(id,shelves(name))&id=eq.2&books.shelves.name=eq.back&order=id',
    status: 200,
    json: [
      {
        id: 2,
        books: [
          { id: 2, shelves: [{ name: 'back' }] },
          { id: 3, shelves: [] },
        ],
      },
    ],
  },
  {
    rule: '5.3 spread to-one',
    request: 'GET /books?select=id,...authors(writer:name)&id=in.(1,5)&order=id',
    status: 200,
    json: [
      { id: 1, writer: 'Ursula' },
      { id: 5, writer: null },
    ],
  },
  {
    rule: '5.3 spread to-many',
    request: 'GET /authors?select=id,...books(books:id,title)&id=in.(2,4)&order=id&books.order=id.desc',
    status: 200,
    json: [
      { id: 2, books: [3, 2], title: ['Cosmicomics', 'Invisible Cities'] },
      { id: 4, books: [], title: [] },
    ],
  },
  {
    rule: '5.3 a filter on what is not embedded',
    request: 'GET /books?select=id&authors.name=eq.x',
    status: 400,
    json: {
      code: 'PGRST108',
      details: null,
      hint: "Verify that 'authors' is included in the 'select' query parameter.",
      message: "'authors' is not an embedded resource in this request",
    },
  },
  {
    rule: '5.3 the name still works beside an alias, with a warning',
    request: 'GET /authors?select=id,mine:books(id)&id=eq.2&books.limit=1',
    status: 200,
    json: [{ id: 2, mine: [{ id: 2 }] }],
    answer: {
      warning:
        '299 PostgRESTv17(pre-release) "Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release. Update `books` to `mine` in query string filters, orders or limits."',
    },
  },
  {
    rule: '19.7 the same relation twice',
    request: 'GET /authors?select=id,a:books(id),b:books(id)&id=eq.2&a.id=eq.2&b.id=eq.3',
    status: 200,
    json: [{ id: 2, a: [{ id: 2 }], b: [{ id: 3 }] }],
  },
  {
    rule: '5.1 row security holds for embeds',
    request: 'GET /notes?select=body',
    as: 'authenticated_00000000-0000-0000-0000-000000000001',
    status: 200,
    json: [{ body: 'of one' }],
  },
  {
    rule: '5.3 two embeds of one name are refused by PostgreSQL',
    request: 'GET /shipments?select=addresses!from_id(city),addresses!to_id(city)',
    status: 400,
    json: {
      code: '42712',
      details: null,
      hint: null,
      message: 'table name "shipments_addresses_1" specified more than once',
    },
  },
  {
    rule: '5 an embed named count is not possible',
    request: 'GET /books?select=count(id)',
    status: 400,
    json: {
      code: 'PGRST100',
      details: 'unexpected \'(\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
      hint: null,
      message: '"failed to parse select parameter (count(id))" (line 1, column 6)',
    },
  },
  {
    rule: '5 hint and join in either order',
    request: 'GET /shipments?select=id,addresses!inner!shipments_from_fkey(city)',
    status: 200,
    json: [{ id: 1, addresses: { city: 'Rome' } }],
  },
  {
    rule: '5 join before hint',
    request: 'GET /shipments?select=id,addresses!shipments_from_fkey!inner(city)',
    status: 200,
    json: [{ id: 1, addresses: { city: 'Rome' } }],
  },
  {
    rule: '5 left is the default',
    request: 'GET /books?select=id,authors!left(name)&id=eq.5',
    status: 200,
    json: [{ id: 5, authors: null }],
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
    rule: '5.3 inner holds upwards only along inner embeds',
    request: 'GET /authors?select=id,books(id,covers!inner(url))&order=id',
    status: 200,
    json: [
      { id: 1, books: [{ id: 1, covers: { url: 'https://covers/1' } }] },
      { id: 2, books: [{ id: 2, covers: { url: 'https://covers/2' } }] },
      { id: 3, books: [] },
      { id: 4, books: [] },
    ],
  },
  {
    rule: '5.3 inner along two embeds',
    request: 'GET /authors?select=id,books!inner(id,covers!inner(url))&order=id',
    status: 200,
    json: [
      { id: 1, books: [{ id: 1, covers: { url: 'https://covers/1' } }] },
      { id: 2, books: [{ id: 2, covers: { url: 'https://covers/2' } }] },
    ],
  },
  {
    rule: '5.3 an alias names the node',
    request: 'GET /authors?select=id,works:books(id)&works.id=eq.2&id=eq.2',
    status: 200,
    json: [{ id: 2, works: [{ id: 2 }] }],
  },
  {
    rule: '5.3 with the setting off the name is refused',
    request: 'GET /authors?select=id,works:books(id)&books.id=eq.2',
    settings: { legacy_target_names: false },
    status: 400,
    json: {
      code: 'PGRST108',
      details: 'Target names are not allowed in filters if they have an alias',
      hint: "Change 'books' to 'works' in filters, orders or limits.",
      message: "'books' is not an embedded resource in this request",
    },
  },
  {
    rule: '5.3 is.not_null on an embed means a column',
    request: 'GET /authors?select=id,books(id)&books=is.not_null',
    status: 400,
    json: { code: '42703', details: null, hint: null, message: 'column authors.books does not exist' },
  },
  {
    rule: '5.3 an embed with nothing in it is not shown',
    request: 'GET /authors?select=id,books(covers())&id=eq.1',
    status: 200,
    json: [{ id: 1 }],
  },
  {
    rule: '5.3 filtered embeds and null tests',
    request: 'GET /authors?select=id,books(id)&books.id=eq.2&books=not.is.null',
    status: 200,
    json: [{ id: 2, books: [{ id: 2 }] }],
  },
  {
    rule: '5.3 a null test of a nested embed',
    request: 'GET /authors?select=id,books(id,covers(url))&books.covers=not.is.null&id=lte.2&order=id',
    status: 200,
    json: [
      { id: 1, books: [{ id: 1, covers: { url: 'https://covers/1' } }] },
      { id: 2, books: [{ id: 2, covers: { url: 'https://covers/2' } }] },
    ],
  },
  {
    rule: '5.3 a spread to one that finds nothing gives nulls',
    request: 'GET /books?select=id,...authors(name,born)&id=eq.5',
    status: 200,
    json: [{ id: 5, name: null, born: null }],
  },
  {
    rule: '5.3 a spread of a spread',
    request: 'GET /covers?select=url,...books(title,...authors(name))&order=book_id',
    status: 200,
    json: [
      { url: 'https://covers/1', title: 'The Dispossessed', name: 'Ursula' },
      { url: 'https://covers/2', title: 'Invisible Cities', name: 'Italo' },
    ],
  },
  {
    rule: '5.3 an embed inside a spread',
    request: 'GET /books?select=id,...authors(name,books(id))&id=eq.1',
    status: 200,
    json: [{ id: 1, name: 'Ursula', books: [{ id: 1 }] }],
  },
  {
    rule: '5.3 a spread to many, ordered',
    request: 'GET /authors?select=id,...books(titles:title,price)&id=eq.2&books.order=price',
    status: 200,
    json: [{ id: 2, titles: ['Cosmicomics', 'Invisible Cities'], price: [8.25, 9] }],
  },
  {
    rule: '5.3 a spread to many of none is empty',
    request: 'GET /authors?select=id,...books(title)&id=eq.4',
    status: 200,
    json: [{ id: 4, title: [] }],
  },
  {
    rule: '5.3 a spread to many with the star',
    request: 'GET /readers?select=id,...reviews(*)&id=eq.1',
    status: 200,
    json: [{ id: 1, book_id: [1], reader_id: [1], stars: [5] }],
  },
  {
    rule: '5.3 a to-one spread inside a to-many one',
    request: 'GET /authors?select=id,...books(id,...covers(url))&id=eq.2&books.order=id',
    status: 200,
    json: [{ id: [2, 3], url: ['https://covers/2', null] }],
  },
  {
    rule: '5.3 a spread of nothing',
    request: 'GET /books?select=id,...authors()&id=eq.1',
    status: 200,
    json: [{ id: 1 }],
  },
  {
    rule: '5.3 clashing names are emitted twice',
    request: 'GET /books?select=id,...authors(id)&id=eq.2',
    status: 200,
    text: '[{"id":2,"id":2}]',
  },
  {
    rule: '5.3 a spread takes no alias',
    request: 'GET /books?select=x:...authors(name)',
    status: 400,
    json: {
      code: 'PGRST100',
      details: 'unexpected "." expecting ":" or field name (* or [a..z0..9_$])',
      hint: null,
      message: '"failed to parse select parameter (x:...authors(name))" (line 1, column 3)',
    },
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
    rule: '5 a select that is not closed',
    request: 'GET /authors?select=books(id',
    status: 400,
    json: {
      code: 'PGRST100',
      details: 'unexpected end of input expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
      hint: null,
      message: '"failed to parse select parameter (books(id)" (line 1, column 9)',
    },
  },
  {
    rule: '5.2 the many rows by the constraint’s name',
    request: 'GET /authors?select=books_author_id_fkey(id)&id=eq.1',
    status: 200,
    json: [{ books_author_id_fkey: [{ id: 1 }] }],
  },
  {
    rule: '5.3 order on two levels',
    request:
      'GET /authors?select=id,books(id,shelves(id))&order=id.desc&books.order=id.desc&books.shelves.order=id.desc&id=eq.2',
    status: 200,
    json: [
      {
        id: 2,
        books: [
          { id: 3, shelves: [] },
          { id: 2, shelves: [{ id: 2 }, { id: 1 }] },
        ],
      },
    ],
  },
  {
    rule: '5.3 a JSON path in an embed',
    request: 'GET /authors?select=id,books(info->>pages)&id=eq.1',
    status: 200,
    json: [{ id: 1, books: [{ pages: '387' }] }],
  },
  {
    rule: '5.3 a cast in an embed',
    request: 'GET /authors?select=id,books(price::text)&id=eq.1',
    status: 200,
    json: [{ id: 1, books: [{ price: '12.50' }] }],
  },
  {
    rule: '5.3 filters on a path of an embed',
    request: 'GET /authors?select=id,books(id)&books.info->>pages=eq.165&id=eq.2',
    status: 200,
    json: [{ id: 2, books: [{ id: 2 }] }],
  },
  {
    rule: '5.3 in within an embed',
    request: 'GET /authors?select=id,books(id)&books.id=in.(2,99)&id=eq.2',
    status: 200,
    json: [{ id: 2, books: [{ id: 2 }] }],
  },
  {
    rule: '5.3 an alias that is quoted',
    request: 'GET /authors?select=id,"my books":books(id)&"my books".id=eq.2&id=eq.2',
    status: 200,
    json: [{ id: 2, 'my books': [{ id: 2 }] }],
  },
  {
    rule: '5.3 related order by a spread',
    request: 'GET /books?select=id,...authors(name)&order=authors(name).desc.nullslast,id&limit=2',
    status: 200,
    json: [
      { id: 1, name: 'Ursula' },
      { id: 2, name: 'Italo' },
    ],
  },
  {
    rule: '5.3 related order by a path',
    request: 'GET /covers?select=book_id,books(info)&order=books(info->>pages)',
    status: 200,
    json: [
      { book_id: 2, books: { info: { lang: { code: 'it' }, pages: 165 } } },
      { book_id: 1, books: { info: { lang: { code: 'en' }, pages: 387, prizes: ['Hugo', 'Nebula'] } } },
    ],
  },
  {
    rule: '5.3 related order nested',
    request: 'GET /authors?select=id,books(id,covers(url))&books.order=covers(url).desc.nullslast&id=eq.2',
    status: 200,
    json: [
      {
        id: 2,
        books: [
          { id: 2, covers: { url: 'https://covers/2' } },
          { id: 3, covers: null },
        ],
      },
    ],
  },
  {
    rule: '5.3 any on an embed’s column',
    request: 'GET /authors?select=id,books(id)&books.id=eq(any).{2,3}&id=eq.2&books.order=id',
    status: 200,
    json: [{ id: 2, books: [{ id: 2 }, { id: 3 }] }],
  },
  {
    rule: '5.3 two-level spread to many with order',
    request: 'GET /authors?select=id,...books(titles:title,...shelves(names:name))&id=eq.2&books.order=id',
    status: 200,
    json: [{ id: 2, titles: ['Invisible Cities', 'Cosmicomics'], names: [['window', 'back'], []] }],
  },
  {
    rule: '5.3 embed of a one-to-one with limit zero',
    request: 'GET /books?select=id,covers(url)&covers.limit=0&id=eq.1',
    status: 200,
    json: [{ id: 1, covers: null }],
  },
  {
    rule: '5.3 a computed column in an embed',
    request: 'GET /books?select=id,authors(*,loud)&id=eq.1',
    status: 200,
    json: [{ id: 1, authors: { id: 1, born: 1929, loud: 'URSULA', name: 'Ursula' } }],
  },
  {
    rule: '5.3 there and back through a junction',
    request:
      'GET /books?select=id,shelves(id,books(id,shelves(id)))&id=eq.1&shelves.books.order=id&shelves.books.shelves.order=id',
    status: 200,
    json: [
      {
        id: 1,
        shelves: [
          {
            id: 1,
            books: [
              { id: 1, shelves: [{ id: 1 }] },
              { id: 2, shelves: [{ id: 1 }, { id: 2 }] },
            ],
          },
        ],
      },
    ],
  },
  {
    rule: '5.3 two embeds of one junction under aliases',
    request: 'GET /books?select=id,a:shelves(id),b:shelves(name)&id=eq.2&a.order=id&b.order=id&b.limit=1',
    status: 200,
    json: [{ id: 2, a: [{ id: 1 }, { id: 2 }], b: [{ name: 'window' }] }],
  },
  {
    rule: '5.3 inner through a junction',
    request: 'GET /books?select=id,shelves!inner(name)&shelves.name=eq.back',
    status: 200,
    json: [{ id: 2, shelves: [{ name: 'back' }] }],
  },
  {
    rule: '5.3 an embed beside a column of its name',
    request: 'GET /authors?select=name,books(name:title)&id=eq.1',
    status: 200,
    json: [{ name: 'Ursula', books: [{ name: 'The Dispossessed' }] }],
  },
  {
    rule: '5.3 a self-reference, two levels down',
    request: 'GET /categories?select=id,categories(id,categories(id))&id=eq.1&categories.order=id',
    status: 200,
    json: [
      {
        id: 1,
        categories: [
          { id: 2, categories: [] },
          { id: 3, categories: [] },
        ],
      },
    ],
  },
  {
    rule: '5.3 a self-reference upwards and down',
    request: 'GET /categories?select=id,parent:parent_id(id,categories(id))&id=eq.2&parent.categories.order=id',
    status: 200,
    json: [{ id: 2, parent: { id: 1, categories: [{ id: 2 }, { id: 3 }] } }],
  },
  {
    rule: '5.3 both addresses of a shipment',
    request:
      'GET /shipments?select=id,f:addresses!shipments_from_fkey(city),t:to_id(city)&f.city=eq.Rome&t.city=eq.nowhere',
    status: 200,
    json: [{ id: 1, f: { city: 'Rome' }, t: null }],
  },
  {
    rule: '5.3 null tests of two embeds in a tree',
    request: 'GET /books?select=id,authors(),covers()&or=(authors.is.null,covers.not.is.null)&order=id',
    status: 200,
    json: [{ id: 1 }, { id: 2 }, { id: 5 }],
  },
  {
    rule: '5.3 a filter on an embed and a count',
    request: 'GET /books?select=id,shelves!inner(id)&shelves.id=eq.1&limit=1&order=id',
    headers: { prefer: 'count=exact' },
    status: 206,
    json: [{ id: 1, shelves: [{ id: 1 }] }],
    answer: { 'content-range': '0-0/2' },
  },
  {
    rule: '5.3 an embed of a view from a table',
    request: 'GET /authors?select=id,priced_books(title)&id=eq.2&priced_books.order=title',
    status: 200,
    json: [{ id: 2, priced_books: [{ title: 'Cosmicomics' }, { title: 'Invisible Cities' }] }],
  },
  {
    rule: '5.3 a spread of a view',
    request: 'GET /crates?select=id,...volumes(publisher)',
    status: 200,
    json: [{ id: 1, publisher: 'acme' }],
  },
]
