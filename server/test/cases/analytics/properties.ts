import { type AnalyticsCase, batch, type Call, event, ok, type StoredEvent } from './case.ts'
import { otherSettings } from './project.ts'

const verbatim = (words: string, text: string, sent = text): AnalyticsCase => ({
  rule: `3.2 ${words}`,
  calls: [
    {
      ...{ request: 'POST /e/', text: ok },
      body: `{"api_key":"~T","batch":[{"uuid":"~uuid","event":"ordered","distinct_id":"~ada","properties":${text}}]}`,
    },
  ],
  stored: { events: [{ sent }] },
})

const asSent: readonly AnalyticsCase[] = [
  verbatim('numbers are kept digit by digit', '{"id":12345678901234567890,"ratio":1.0,"tiny":1e-400,"minus":-0}'),
  verbatim('letters of all alphabets are kept, and line separators', '{"text":"ü 🚀 日本 \u2028 \u200f"}'),
  verbatim('escapes are kept', '{"\\u0061\\/":"\\u0000 } \\" \\n"}'),
  verbatim('spaces are kept', '{ "plan" : "pro" ,  "n" : [ 1 , 2 ] }'),
  verbatim('nulls are kept, nested ones too', '{"a":null,"b":{"c":[null,{"d":null}]}}'),
  verbatim(
    'properties named as those of objects are kept',
    '{"__proto__":{"x":1},"constructor":2,"properties":{"a":[]}}',
  ),
  verbatim('half of a surrogate pair, which no engine stores, is replaced', '{"half":"\\ud800"}', '{"half":"\ufffd"}'),
  verbatim('a pair in escapes is kept as its letter', '{"pair":"\\ud83d\\ude80"}', '{"pair":"🚀"}'),
  verbatim('line breaks between names are left out', '{"lines":\n\t1}', '{"lines":1}'),
  {
    rule: '3.2 a text of 65,535 characters is kept',
    calls: [{ request: 'POST /e/', body: batch(event({ text: 'ü'.repeat(65_535) })), text: ok }],
    stored: { events: [{ properties: { text: 'ü'.repeat(65_535) } }] },
  },
  {
    rule: '3.2 persons have NUL and halves of surrogate pairs taken out, which PostgreSQL does not store',
    calls: [{ request: 'POST /e/', body: batch(event({ $set: { name: 'A\u0000d\ud800a', 'k\u0000ey': 1 } })) }],
    stored: { events: [{}], persons: [{ ids: ['~ada'], properties: { name: 'Ad\ufffda', key: 1 } }] },
  },
]

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

const added = (words: string, properties: object, stored: StoredEvent, more: Partial<Call> = {}): AnalyticsCase => ({
  rule: `3.2 ${words}`,
  calls: [{ request: 'POST /e/', body: batch(event(properties)), text: ok, ...more }],
  stored: { events: [stored] },
})

const ofAgents: readonly AnalyticsCase[] = [
  added(
    'browser, system and device of $raw_user_agent are added',
    { $raw_user_agent: firefox },
    {
      ...{ browser: 'Firefox', os: 'Linux', device_type: 'Desktop' },
      properties: { $browser: 'Firefox', $os: 'Linux', $device_type: 'Desktop' },
      lacks: ['$is_bot'],
    },
  ),
  added(
    'those of the header, of an event from a browser',
    { $lib: 'web' },
    { browser: 'Firefox' },
    {
      headers: { 'user-agent': firefox },
    },
  ),
  added(
    'a server’s own header says nothing of a visitor',
    { $lib: 'posthog-node' },
    { browser: '', lacks: ['$browser'] },
    {
      headers: { 'user-agent': firefox },
    },
  ),
  added(
    'what the client says of its browser stands',
    { $raw_user_agent: firefox, $browser: 'Mine', $os: null },
    {
      properties: { $browser: 'Mine', $os: null },
    },
  ),
  added('a bot is named', { $raw_user_agent: robot }, { properties: { $is_bot: true } }),
  added(
    'a bot by its header',
    { $lib: 'web' },
    { properties: { $is_bot: true } },
    { headers: { 'user-agent': robot } },
  ),
  added(
    'what the client says of bots stands',
    { $raw_user_agent: robot, $is_bot: false },
    {
      properties: { $is_bot: false },
    },
  ),
]

const campaigns = [
  'utm_source utm_medium utm_campaign utm_content utm_term gclid gclsrc dclid gbraid wbraid gad_source fbclid msclkid',
  'twclid li_fat_id igshid ttclid rdt_cid epik qclid sccid irclid mc_cid _kx oppref bfcid',
].flatMap((names) => names.split(' '))

const ofAddresses: readonly AnalyticsCase[] = [
  added(
    'host and path of $current_url are added',
    { $current_url: 'https://a.test:8080/x/y?q=1#z' },
    {
      ...{ host: 'a.test:8080', pathname: '/x/y', current_url: 'https://a.test:8080/x/y?q=1#z' },
      ...{ properties: { $host: 'a.test:8080', $pathname: '/x/y' }, lacks: ['q'] },
    },
  ),
  ...campaigns.map((name) =>
    added(
      `${name} of $current_url is added`,
      { $current_url: `https://a.test/?${name}=one+two&q=1` },
      {
        ...{ properties: { [name]: 'one two' }, lacks: ['q'] },
      },
    ),
  ),
  added(
    'an empty campaign is none',
    { $current_url: 'https://a.test/?utm_source=&gclid' },
    {
      lacks: ['utm_source', 'gclid'],
    },
  ),
  added(
    'what the client says of a campaign stands',
    { $current_url: 'https://a.test/?gclid=1', gclid: null },
    {
      properties: { gclid: null },
    },
  ),
  added(
    'an address that is none says nothing',
    { $current_url: 'somewhere' },
    {
      ...{ host: '', current_url: 'somewhere', lacks: ['$host', '$pathname'] },
    },
  ),
  added(
    'the domain of $referrer is added',
    { $referrer: 'https://search.test/?q=1' },
    {
      ...{ referring_domain: 'search.test', properties: { $referring_domain: 'search.test' } },
    },
  ),
  added(
    '$direct is no address',
    { $referrer: '$direct', $referring_domain: '$direct' },
    {
      referring_domain: '$direct',
    },
  ),
]

const lisbon = { $geoip_city_name: 'Lisbon', $geoip_country_code: 'PT', $geoip_country_name: 'Portugal' }
const fromLisbon = { headers: { 'x-forwarded-for': '203.0.113.9' } }

/** Where consent is required, and given. */
const shortened = (words: string, $ip: string, kept: string): AnalyticsCase => ({
  rule: `3.2 ${words}`,
  calls: [
    { request: 'POST /consent', body: { token: '~T', distinct_id: '~ada', granted: true } },
    { request: 'POST /e/', body: batch(event({ $ip })), text: ok },
  ],
  stored: { events: [{ properties: { $ip: kept } }] },
  settings: otherSettings,
})

const ofPlaces: readonly AnalyticsCase[] = [
  added('$ip is not stored', { $ip: '198.51.100.7', plan: 'pro' }, { properties: { plan: 'pro' }, lacks: ['$ip'] }),
  shortened('$ip is shortened where the setting says so', '198.51.100.7', '198.51.100.0'),
  shortened('an IPv6 address is shortened to its network', '2001:db9:1:2::7', '2001:db9:1::'),
  added(
    'the place of $ip is added',
    { $ip: '203.0.113.9' },
    {
      ...{ properties: lisbon, lacks: ['$ip'] },
    },
  ),
  added('the place of the request is added', {}, { properties: lisbon }, fromLisbon),
  added(
    'the place of $ip counts before that of the request',
    { $ip: '2001:db8::1' },
    {
      ...{ properties: { $geoip_country_code: 'JP' }, lacks: ['$geoip_city_name'] },
    },
    fromLisbon,
  ),
  added('$geoip_disable asks for none', { $geoip_disable: true }, { lacks: ['$geoip_country_code'] }, fromLisbon),
  added(
    'a country of the client’s stands alone',
    { $geoip_country_code: 'FR' },
    {
      ...{ properties: { $geoip_country_code: 'FR' }, lacks: ['$geoip_city_name'] },
    },
    fromLisbon,
  ),
  added('an address without a place has none', { $ip: '198.51.100.7' }, { lacks: ['$geoip_country_code'] }),
]

/** What is stored of properties, and what is added to them (analytics §3). */
export const properties: readonly AnalyticsCase[] = [...asSent, ...ofAgents, ...ofAddresses, ...ofPlaces]
