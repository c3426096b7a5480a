import { readText } from '../../lib/read-search.ts'

const names = ['request', 'method', 'path', 'query', 'as', 'user', 'body'] as const

/** What a link to an explanation asks: about a request that was made, or about one that might be made. */
export type WhySearch = { readonly [Name in (typeof names)[number]]?: string }

/** Reads a link; what it does not understand it leaves out. */
export const readWhySearch = (search: Readonly<Record<string, unknown>>): WhySearch => readText(search, ...names)
