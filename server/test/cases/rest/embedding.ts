import type { RestCase } from './case.ts'

export const embedding: readonly RestCase[] = [
  {
    rule: '5 aliases',
    request: 'GET /books?select=writer:authors(who:name)&id=eq.1',
    status: 200,
    json: [{ writer: { who: 'Ursula' } }],
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
    settings: { legacyTargetNames: false },
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
    rule: '5.3 clashing names are emitted twice',
    request: 'GET /books?select=id,...authors(id)&id=eq.2',
    status: 200,
    text: '[{"id":2,"id":2}]',
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
]
