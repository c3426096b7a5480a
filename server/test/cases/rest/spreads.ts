import type { RestCase } from './case.ts'

export const spreads: readonly RestCase[] = [
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
    rule: '5.3 related order by a spread',
    request: 'GET /books?select=id,...authors(name)&order=authors(name).desc.nullslast,id&limit=2',
    status: 200,
    json: [
      { id: 1, name: 'Ursula' },
      { id: 2, name: 'Italo' },
    ],
  },
  {
    rule: '5.3 two-level spread to many with order',
    request: 'GET /authors?select=id,...books(titles:title,...shelves(names:name))&id=eq.2&books.order=id',
    status: 200,
    json: [{ id: 2, titles: ['Invisible Cities', 'Cosmicomics'], names: [['window', 'back'], []] }],
  },
  {
    rule: '5.3 a spread of a view',
    request: 'GET /crates?select=id,...volumes(publisher)',
    status: 200,
    json: [{ id: 1, publisher: 'acme' }],
  },
]
