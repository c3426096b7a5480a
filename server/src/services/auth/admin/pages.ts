import { authError } from '../model/errors.ts'

/** Which page of a list is requested. */
export interface PageRequest {
  /** From 1. */
  readonly number: number
  readonly size: number
}

const defaultSize = 50
const maxSize = 1000

/**
 * Reads `page` and `per_page`; empty ones are as good as absent.
 *
 * @throws validation_failed
 */
export function parsePage(query: URLSearchParams): PageRequest {
  const number = readCount(query, 'page') ?? 1
  const size = readCount(query, 'per_page') ?? defaultSize
  return { number: Math.max(1, number), size: size === 0 ? defaultSize : Math.min(maxSize, size) }
}

function readCount(query: URLSearchParams, name: string): number | undefined {
  const raw = query.get(name) ?? ''
  if (raw === '') return undefined
  if (!/^\d{1,9}$/.test(raw))
    throw authError('validation_failed', { message: `Bad Pagination Parameters: ${name} must be a number` })
  return Number(raw)
}

/** The rows of a page. */
export const rowsOf = ({ number, size }: PageRequest): { readonly offset: number; readonly limit: number } => ({
  offset: (number - 1) * size,
  limit: size,
})

/**
 * `Link` and `X-Total-Count` of a page. `page` is the first parameter of each address: clients take what stands after the
 * first `=` (auth §18).
 */
export function renderPageHeaders(
  path: string,
  query: URLSearchParams,
  page: PageRequest,
  total: number,
): Readonly<Record<string, string>> {
  const pages = Math.ceil(total / page.size)
  const others = new URLSearchParams([...query].filter(([name]) => name !== 'page' && name !== 'apikey'))
  const rest = others.size === 0 ? '' : `&${others.toString()}`
  const link = (number: number, rel: string): string => `<${path}?page=${number}${rest}>; rel="${rel}"`
  const links = [...(pages > page.number ? [link(page.number + 1, 'next')] : []), link(pages, 'last')]
  return { link: links.join(', '), 'x-total-count': String(total) }
}
