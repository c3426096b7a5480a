import Bowser from 'bowser'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { type JsonObject, textOf } from '../../../ground/json/object.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { type FindPlace, type Place, widePlace } from '../geo/place.ts'
import { shortenAddress } from './address.ts'
import type { CapturedEvent } from './event.ts'

/** What is kept of addresses that events name in `$ip`. */
export type AddressPolicy = 'drop' | 'shorten' | 'keep'

/** Properties as they are stored. */
export interface Enriched {
  readonly properties: JsonObject
  /** Their text; null where it must be written anew. */
  readonly rawJson: string | null
}

export interface EnrichContext {
  /** Of the request's header; a server's library names itself there, not the visitor's browser. */
  readonly userAgent: string | null
  readonly addresses: AddressPolicy
  /** Where it comes from; null where that is not known, or not to be. */
  readonly place: Place | null
  /** What would tell a visitor without cookies apart for longer than a day is taken out. */
  readonly isCookieless: boolean
}

/** Of a visitor without cookies these are used for the day's id, and kept no longer. */
const identifying = ['$ip', '$raw_user_agent', '$device_id']

/**
 * Adds what an event implies and its client did not say: whether a bot sent it, browser and system of its user agent,
 * campaign and referrer of its address, and where it comes from. What the client said stands.
 *
 * @param rawJson the text of the properties as sent; null when they must be written anew
 */
export function enrich(properties: JsonObject, rawJson: string | null, context: EnrichContext): Enriched {
  const kept = withoutAddress(properties, context)
  const added = impliedBy(kept, context)
  const names = Object.keys(added)
  if (names.length === 0) return { properties: kept, rawJson: kept === properties ? rawJson : null }
  // Only names that are missing are added: the text as it was sent stays, with these behind it.
  const isAppended = rawJson !== null && kept === properties && Object.keys(kept).length > 0
  return {
    properties: { ...kept, ...added },
    rawJson: isAppended ? `${rawJson.slice(0, rawJson.lastIndexOf('}'))},${stringifyWellFormed(added).slice(1)}` : null,
  }
}

/**
 * Where an event comes from: the address that it names, else that of its request. A client that knows the country, or asks
 * that none be derived, is left alone.
 */
export function findPlaceOf(
  { properties, isCookieless }: Pick<CapturedEvent, 'properties' | 'isCookieless'>,
  remoteAddress: string,
  findPlace: FindPlace,
): Place | null {
  if (properties.$geoip_disable === true || properties.$geoip_country_code !== undefined) return null
  const place = findPlace(textOf(properties.$ip) ?? remoteAddress)
  return place !== null && isCookieless ? widePlace(place) : place
}

function withoutAddress(properties: JsonObject, { addresses, isCookieless }: EnrichContext): JsonObject {
  if (isCookieless && identifying.some((name) => properties[name] !== undefined))
    return Object.fromEntries(Object.entries(properties).filter(([name]) => !identifying.includes(name)))
  const { $ip, ...rest } = properties
  if ($ip === undefined || addresses === 'keep') return properties
  const short = addresses === 'shorten' && typeof $ip === 'string' ? shortenAddress($ip) : null
  return short === null ? rest : { ...rest, $ip: short }
}

function impliedBy(properties: JsonObject, { userAgent: header, place }: EnrichContext): JsonObject {
  const isBrowser = properties.$lib === 'web'
  const agent = textOf(properties.$raw_user_agent) ?? (isBrowser ? header : null)
  const implied: JsonObject = {
    ...(agent === null ? {} : agentFacts(agent)),
    ...addressFacts(textOf(properties.$current_url)),
    ...referrerFacts(textOf(properties.$referrer)),
    ...place,
  }
  return Object.fromEntries(
    // posthog-js says null for a campaign that is not there.
    Object.entries(implied).filter(([name, value]) => value !== undefined && properties[name] === undefined),
  )
}

const agents = new LRUCache<string, JsonObject>({ max: 500 })
const longestAgent = 1024

/** Browsers send one user agent with every event: the latest few hundred are remembered. */
function agentFacts(agent: string): JsonObject {
  const text = agent.slice(0, longestAgent)
  const known = agents.get(text)
  if (known !== undefined) return known
  const { browser, os, platform } = Bowser.parse(text)
  const kind = platform.type
  const facts: JsonObject = {
    ...(isbot(text) && { $is_bot: true }),
    ...(browser.name !== undefined && { $browser: browser.name }),
    ...(os.name !== undefined && { $os: os.name }),
    ...(kind !== undefined && { $device_type: `${kind[0]?.toUpperCase()}${kind.slice(1)}` }),
  }
  agents.set(text, facts)
  return facts
}

const campaign = /^(?:utm_(?:source|medium|campaign|content|term)|gclid|fbclid|msclkid)$/

/** Campaign parameters, host and path of a page's address. */
function addressFacts(address: string | null): JsonObject {
  if (address === null || !URL.canParse(address)) return {}
  const { host, pathname, searchParams } = new URL(address)
  const parameters = [...searchParams].filter(([name, value]) => campaign.test(name) && value !== '')
  return { $host: host, $pathname: pathname, ...Object.fromEntries(parameters) }
}

function referrerFacts(referrer: string | null): JsonObject {
  if (referrer === null || !URL.canParse(referrer)) return {}
  return { $referring_domain: new URL(referrer).host }
}
