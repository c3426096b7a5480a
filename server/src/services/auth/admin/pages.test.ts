import { expect, test } from 'vitest'
import { parsePage, renderPageHeaders, rowsOf } from './pages.ts'

const read = (query: string) => parsePage(new URLSearchParams(query))

test('a page is read, and what is empty is as good as absent', () => {
  expect(read('')).toEqual({ number: 1, size: 50 })
  expect(read('page=&per_page=')).toEqual({ number: 1, size: 50 })
  expect(read('page=3&per_page=10')).toEqual({ number: 3, size: 10 })
  expect(rowsOf(read('page=3&per_page=10'))).toEqual({ offset: 20, limit: 10 })
  for (const query of ['page=x', 'per_page=-1', 'page=1.5', 'page=99999999999'])
    expect(() => read(query)).toThrow('Bad Pagination Parameters')
})

test('the links lead on and to the end, the page first', () => {
  const query = new URLSearchParams('filter=a&page=1&per_page=2')
  expect(renderPageHeaders('/admin/users', query, { number: 1, size: 2 }, 5)).toEqual({
    link: '</admin/users?page=2&filter=a&per_page=2>; rel="next", </admin/users?page=3&filter=a&per_page=2>; rel="last"',
    'x-total-count': '5',
  })
  expect(renderPageHeaders('/admin/users', query, { number: 3, size: 2 }, 5).link).not.toContain('next')
})
