import { type QualifiedName, type SchemaCache, sameName } from '../cache/schema-cache.ts'
import { restError } from '../errors.ts'
import { type MediaType, mediaTypeName, parseMediaType } from '../parse/headers/media-type.ts'
import type { BodyMaker, Negotiated, ReadNode } from './types.ts'

const builtIn: Readonly<Record<string, { readonly media: MediaType; readonly body: BodyMaker }>> = {
  any: { media: { kind: 'json' }, body: { kind: 'array', stripped: false } },
  json: { media: { kind: 'json' }, body: { kind: 'array', stripped: false } },
  csv: { media: { kind: 'csv' }, body: { kind: 'csv' } },
  geojson: { media: { kind: 'geojson' }, body: { kind: 'geojson' } },
}

const selectsEverything = (node: ReadNode): boolean =>
  node.children.length === 0 && node.select.length === 1 && node.select[0]?.field.column === '*'

/** Makers of the application's own: for the relation itself first, then for anything (rest §10). */
function findHandler(cache: SchemaCache, target: QualifiedName | null, mediaType: string): Negotiated | null {
  const handler = cache.handlers.find(
    (one) =>
      one.mediaType === mediaType &&
      (target === null ? one.target === null : one.target !== null && sameName(one.target, target)),
  )
  if (handler === undefined) return null
  return {
    media: mediaType === '*/*' ? { kind: 'octets' } : parseMediaType(mediaType),
    body: { kind: 'handler', function: handler.function, target: handler.target, binary: handler.binary },
  }
}

function makerOf(
  cache: SchemaCache,
  relation: QualifiedName,
  media: MediaType,
  everything: boolean,
): Negotiated | null {
  if (media.kind === 'object') return { media, body: { kind: 'object', stripped: media.stripped } }
  if (media.kind === 'array_stripped') return { media, body: { kind: 'array', stripped: true } }
  const name = mediaTypeName(media).toLowerCase()
  const own = everything ? (findHandler(cache, relation, '*/*') ?? findHandler(cache, relation, name)) : null
  return own ?? findHandler(cache, null, name) ?? builtIn[media.kind] ?? null
}

/** PGRST107, naming the types of the Accept header. */
export const notAcceptable = (accept: readonly MediaType[]): Error =>
  restError('PGRST107', {
    message: `None of these media types are available: ${accept.map(mediaTypeName).join(', ')}`,
  })

/**
 * Chooses the first acceptable media type that can be rendered.
 *
 * @throws PGRST107 when there is none
 */
export function negotiate(
  cache: SchemaCache,
  relation: QualifiedName,
  read: ReadNode,
  accept: readonly MediaType[],
  options: { readonly planEnabled: boolean; readonly wantsBody: boolean },
): Negotiated {
  const everything = selectsEverything(read)
  for (const media of accept) {
    const made =
      media.kind !== 'plan'
        ? makerOf(cache, relation, media, everything)
        : options.planEnabled
          ? makerOf(cache, relation, media.of, everything)
          : null
    if (made === null) continue
    const chosen = media.kind === 'plan' ? { ...made, media } : made
    return options.wantsBody ? chosen : { ...chosen, body: { kind: 'none' } }
  }
  throw notAcceptable(accept)
}
