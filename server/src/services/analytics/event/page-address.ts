import { LRUCache } from 'lru-cache'

/** What a page's address says of an event: names of properties, and their values. */
export type AddressFacts = readonly (readonly [name: string, value: string])[]

/** By which campaigns, advertisers and mails know their visitors (analytics §3). */
export const campaignNames: ReadonlySet<string> = new Set(
  (
    'utm_source utm_medium utm_campaign utm_content utm_term gclid gclsrc dclid gbraid wbraid gad_source fbclid msclkid ' +
    'twclid li_fat_id igshid ttclid rdt_cid epik qclid sccid irclid mc_cid _kx oppref bfcid'
  ).split(' '),
)

/** Host, path and campaign parameters of a page's address; nothing of what is none. */
export function parsePageAddress(address: string): AddressFacts {
  if (!URL.canParse(address)) return []
  const { host, pathname, searchParams } = new URL(address)
  // Of a parameter that is given twice the last stands. posthog-js says null for a campaign that is not there.
  const campaigns = new Map([...searchParams].filter(([name, value]) => campaignNames.has(name) && value !== ''))
  return [['$host', host], ['$pathname', pathname], ...campaigns]
}

/**
 * An origin, a path that stands as it is written (no segment is one of dots, nothing is escaped or left out), and a query or
 * fragment without escapes.
 */
const plainForm = /^(https?:\/\/[A-Za-z\d.:-]+)((?:\/(?![.%])[\w.~!$&'()*+,;=:@%-]*)*)(?:[?#]([!-$&-~]*))?$/

/** Each parameter of a campaign has one of these in its name. */
const partOfCampaign = /utm_|c(?:l|lk)?id|gclsrc|braid|gad_source|fat_id|igshid|epik|_kx|oppref/

const keptOrigins = 500
/** What is longer is parsed: no regular expression runs over it, and no origin of it is kept. */
const longestPlain = 1024

/**
 * Reads as `parsePageAddress` does. Pages have ever new paths and few origins: of nearly every address only the origin
 * is parsed, and that once.
 *
 * @param parse reads all other addresses
 */
export function createPageAddresses(parse: (address: string) => AddressFacts): (address: string) => AddressFacts {
  const hosts = new LRUCache<string, { readonly host: string | null }>({ max: keptOrigins })
  const hostOf = (origin: string): string | null => {
    const known = hosts.get(origin)
    if (known !== undefined) return known.host
    const host = URL.canParse(origin) ? new URL(origin).host : null
    hosts.set(origin, { host })
    return host
  }
  return (address) => {
    const [, origin, path, query = ''] = address.length > longestPlain ? [] : (plainForm.exec(address) ?? [])
    if (origin === undefined || partOfCampaign.test(query)) return parse(address)
    const host = hostOf(origin)
    return host === null
      ? []
      : [
          ['$host', host],
          ['$pathname', path || '/'],
        ]
  }
}
