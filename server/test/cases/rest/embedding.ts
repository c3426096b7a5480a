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
        '299 PostgRESTv16 "Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release. Update `books` to `mine` in query string filters, orders or limits."',
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
]
