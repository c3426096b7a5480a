import { type SessionFilter, sessionSorts } from './queries.ts'

const numbers = ['seconds', 'requestMs', 'statementMs'] as const
const forms = {
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
  country: /^[A-Z]{2}$/,
  status: /^[1-5](xx|\d\d)$/,
  table: /^[^.]+\..+$/,
  flag: /^[^=]+(=.*)?$/,
} as const

/** Reads a link to the sessions; what it does not understand it leaves out. */
export function readSessionsSearch(search: Readonly<Record<string, unknown>>): SessionFilter {
  const texts = Object.entries(forms).flatMap(([name, form]) => {
    const value = String(search[name] ?? '')
    return form.test(value) && ((name !== 'from' && name !== 'to') || isDay(value)) ? [[name, value] as const] : []
  })
  return {
    ...(search.q === undefined || search.q === '' ? {} : { q: String(search.q) }),
    ...(search.live === true ? { live: true } : {}),
    ...(search.errors === true ? { errors: true } : {}),
    ...Object.fromEntries(texts),
    ...Object.fromEntries(sessionSorts.flatMap((sort) => (search.sort === sort ? [['sort', sort]] : []))),
    ...Object.fromEntries(numbers.flatMap((name) => (Number(search[name]) > 0 ? [[name, Number(search[name])]] : []))),
  }
}

const isDay = (text: string): boolean => !Number.isNaN(Date.parse(`${text}T00:00:00`))

/** A list's filter as the link to one of its sessions carries it; nothing of a list without one. */
export const renderListFilter = (filter: SessionFilter): { readonly list?: Readonly<Record<string, unknown>> } =>
  Object.keys(filter).length === 0 ? {} : { list: { ...filter } }
