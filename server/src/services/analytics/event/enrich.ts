import Bowser from 'bowser'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { type JsonObject, textOf } from '../../../ground/json/object.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { type FindPlace, type Place, widePlace } from '../geo/place.ts'
import { shortenAddress } from './address.ts'
import type { CapturedEvent } from './event.ts'
import { createPageAddresses, parsePageAddress } from './page-address.ts'

/** What is kept of addresses that events name in `$ip`. */
export type AddressPolicy = 'drop' | 'shorten' | 'keep'

/** Properties as they are stored: those that were sent, and those that are added. */
export interface Enriched {
  readonly properties: JsonObject
  /** Of other names; null where nothing is added. */
  readonly added: JsonObject | null
  /** The text of both; null where it must be written anew. */
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
  if (added === null) return { properties: kept, added, rawJson: kept === properties ? rawJson : null }
  // Only names that are missing are added: the text as it was sent stays, with these behind it.
  const isAppended = rawJson !== null && kept === properties && !isEmpty(kept)
  return {
    properties: kept,
    added,
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

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

function withoutAddress(properties: JsonObject, { addresses, isCookieless }: EnrichContext): JsonObject {
  if (isCookieless && identifying.some((name) => properties[name] !== undefined))
    return Object.fromEntries(Object.entries(properties).filter(([name]) => !identifying.includes(name)))
  if (properties.$ip === undefined || addresses === 'keep') return properties
  const { $ip, ...rest } = properties
  const short = addresses === 'shorten' && typeof $ip === 'string' ? shortenAddress($ip) : null
  return short === null ? rest : { ...rest, $ip: short }
}

/** Facts whose names are missing among the properties; null where there are none. */
function impliedBy(properties: JsonObject, { userAgent: header, place }: EnrichContext): JsonObject | null {
  const isBrowser = properties.$lib === 'web'
  const agent = textOf(properties.$raw_user_agent) ?? (isBrowser ? header : null)
  const sources = [
    agent === null ? nothing : agentFacts(agent),
    addressFacts(textOf(properties.$current_url)),
    referrerFacts(textOf(properties.$referrer)),
    place === null ? nothing : Object.entries(place),
  ]
  let added: Record<string, unknown> | null = null
  for (const facts of sources)
    for (const [name, value] of facts) {
      if (properties[name] !== undefined) continue
      added ??= {}
      added[name] = value
    }
  return added
}

/** Names and values, read for each event that has them. */
type Facts = readonly (readonly [name: string, value: unknown])[]

const nothing: Facts = []
const keptFacts = 500
const longestText = 1024

/**
 * Remembers the facts of the latest few hundred texts: browsers send one user agent with every event, and few campaigns.
 */
function remembering<Found extends Facts>(read: (text: string) => Found): (text: string) => Found {
  const known = new LRUCache<string, Found>({ max: keptFacts })
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const facts = read(text)
    if (text.length <= longestText) known.set(text, facts)
    return facts
  }
}

const readAgent = remembering((agent) => {
  const { browser, os, platform } = Bowser.parse(agent)
  const kind = platform.type
  const facts: [string, unknown][] = []
  if (isbot(agent)) facts.push(['$is_bot', true])
  if (browser.name !== undefined) facts.push(['$browser', browser.name])
  if (os.name !== undefined) facts.push(['$os', os.name])
  if (kind !== undefined) facts.push(['$device_type', `${kind[0]?.toUpperCase()}${kind.slice(1)}`])
  return facts
})

const agentFacts = (agent: string): Facts => readAgent(agent.slice(0, longestText))

const readAddress = createPageAddresses(remembering(parsePageAddress))

/** Campaign parameters, host and path of a page's address. */
const addressFacts = (address: string | null): Facts => (address === null ? nothing : readAddress(address))

const readReferrer = remembering((referrer) =>
  URL.canParse(referrer) ? [['$referring_domain', new URL(referrer).host]] : nothing,
)

const referrerFacts = (referrer: string | null): Facts => (referrer === null ? nothing : readReferrer(referrer))
