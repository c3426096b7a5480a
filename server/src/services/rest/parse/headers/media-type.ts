export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal'

/** A media type as this protocol knows it (rest §10). */
export type MediaType =
  | { readonly kind: 'json' }
  | { readonly kind: 'array_stripped' }
  | { readonly kind: 'object'; readonly stripped: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'geojson' }
  | { readonly kind: 'text' }
  | { readonly kind: 'xml' }
  | { readonly kind: 'openapi' }
  | { readonly kind: 'form' }
  | { readonly kind: 'octets' }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'plan'
      readonly format: 'text' | 'json'
      readonly of: MediaType
      readonly options: readonly PlanOption[]
    }
  | { readonly kind: 'other'; readonly name: string }

const planOptions: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

const plain: Readonly<Record<string, MediaType>> = {
  'application/json': { kind: 'json' },
  'application/geo+json': { kind: 'geojson' },
  'text/csv': { kind: 'csv' },
  'text/plain': { kind: 'text' },
  'text/xml': { kind: 'xml' },
  'application/openapi+json': { kind: 'openapi' },
  'application/x-www-form-urlencoded': { kind: 'form' },
  'application/octet-stream': { kind: 'octets' },
  '*/*': { kind: 'any' },
}

const parameterPattern = /\s*;\s*([A-Za-z0-9-]+)\s*=\s*(?:"([^"]*)"|([A-Za-z0-9|-]+))/y

function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  parameterPattern.lastIndex = 0
  for (let match = parameterPattern.exec(text); match !== null; match = parameterPattern.exec(text)) {
    parameters.set((match[1] ?? '').toLowerCase(), match[2] ?? match[3] ?? '')
  }
  return parameters
}

/** Reads one media type; names compare case-insensitively. */
export function parseMediaType(text: string): MediaType {
  const head = /^[A-Za-z0-9.*]+\/[A-Za-z0-9.*+-]+/.exec(text)?.[0]
  if (head === undefined) return { kind: 'other', name: text }
  const name = head.toLowerCase()
  const simple = plain[name]
  if (simple !== undefined) return simple
  const parameters = parametersOf(text.slice(head.length))
  const stripped = parameters.get('nulls') === 'stripped'
  switch (name) {
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', stripped }
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return stripped ? { kind: 'array_stripped' } : { kind: 'json' }
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json': {
      const names = (parameters.get('options') ?? '').split('|')
      return {
        kind: 'plan',
        format: name.endsWith('+json') ? 'json' : 'text',
        of: parseMediaType(parameters.get('for') ?? 'application/json'),
        options: planOptions.filter((option) => names.includes(option)),
      }
    }
    default:
      return { kind: 'other', name: text }
  }
}

/** Splits at commas that do not stand in quotes. */
const splitList = (header: string): readonly string[] => header.match(/(?:[^,"]|"[^"]*")+/g) ?? []

/** The media types of an `Accept` header, best first; those of equal quality as sent. Absent means anything. */
export function parseAccept(header: string | undefined): readonly MediaType[] {
  if (header === undefined || header.trim() === '') return [{ kind: 'any' }]
  const accepted = splitList(header).map((part) => {
    const quality = /;\s*q\s*=\s*([0-9.]+)/i.exec(part)
    return {
      type: parseMediaType(part.replace(/;\s*q\s*=\s*[0-9.]+/i, '').trim()),
      quality: quality === null ? 1 : Number(quality[1]),
    }
  })
  return accepted.sort((left, right) => right.quality - left.quality).map(({ type }) => type)
}

const names: Readonly<Record<Exclude<MediaType['kind'], 'object' | 'plan' | 'other'>, string>> = {
  json: 'application/json',
  array_stripped: 'application/vnd.pgrst.array+json;nulls=stripped',
  csv: 'text/csv',
  geojson: 'application/geo+json',
  text: 'text/plain',
  xml: 'text/xml',
  openapi: 'application/openapi+json',
  form: 'application/x-www-form-urlencoded',
  octets: 'application/octet-stream',
  any: '*/*',
}

/** The media type's name, as messages and `Content-Type` tell it. */
export function mediaTypeName(type: MediaType): string {
  switch (type.kind) {
    case 'object':
      return `application/vnd.pgrst.object+json${type.stripped ? ';nulls=stripped' : ''}`
    case 'plan': {
      const options = type.options.length === 0 ? '' : `; options=${type.options.join('|')}`
      return `application/vnd.pgrst.plan+${type.format}; for="${mediaTypeName(type.of)}"${options}`
    }
    case 'other':
      return type.name
    default:
      return names[type.kind]
  }
}

/** `Content-Type`: with the charset, except for bytes and types of the application's own. */
export const contentType = (type: MediaType): string =>
  type.kind === 'octets' || type.kind === 'other' ? mediaTypeName(type) : `${mediaTypeName(type)}; charset=utf-8`
