import { describe, expect } from 'vitest'
import { event, test, token } from '../../../../test/edge-world.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'

describe('places', () => {
  const batch = (events: readonly object[]) => JSON.stringify({ api_key: token, batch: events })
  const geoOf = (properties: string): object =>
    Object.fromEntries(Object.entries(JSON.parse(properties)).filter(([name]) => name.includes('geoip')))

  test.for([
    ['read at once', 10],
    ['read in a thread', 90_000],
  ] as const)(
    'events and persons have the place of their address, which is not kept: a body %s',
    async ([, padding], { edge }) => {
      const session = uuidv7()
      let second = 0
      const at = (ip: string | null, more: object = {}) => {
        second += 1
        const timestamp = new Date(Date.parse('2026-03-01T00:00:00Z') + second * 1000).toISOString()
        return event({ ...(ip !== null && { $ip: ip }), $session_id: session, ...more }, { timestamp })
      }
      const text = 'x'.repeat(padding)
      const sent = await edge.app.inject({
        ...{ method: 'POST', url: '/ingest/batch/', remoteAddress: '203.0.113.9' },
        payload: batch([
          at(null, { text }),
          at('2001:db8::1'),
          at('203.0.113.77', { $cookieless_mode: true }),
          at('203.0.113.77', { distinct_id: 'asked not to', $geoip_disable: true }),
          at('203.0.113.77', { distinct_id: 'knows it', $geoip_country_code: 'FR' }),
          at('198.51.100.1', { distinct_id: 'nowhere' }),
        ]),
      })
      expect(sent.statusCode).toBe(200)
      const rows = await edge.stored(6)
      const placeOf = (id: string) => rows.filter((row) => row.distinct_id === id).map((row) => geoOf(row.properties))
      const [inLisbon, inJapan] = placeOf('ada')
      expect(inLisbon).toMatchObject({
        $geoip_city_name: 'Lisbon',
        $geoip_country_code: 'PT',
        $geoip_latitude: 38.7057,
      })
      expect(inJapan).toEqual({ $geoip_country_code: 'JP', $geoip_country_name: 'Japan' })
      expect(placeOf('asked not to')).toEqual([{ $geoip_disable: true }])
      expect(placeOf('knows it')).toEqual([{ $geoip_country_code: 'FR' }])
      expect(placeOf('nowhere')).toEqual([{}])
      const visitor = rows.find((row) => row.distinct_id.startsWith('cookieless_'))
      expect(geoOf(visitor?.properties ?? '{}')).toMatchObject({ $geoip_city_name: 'Lisbon' })
      expect(geoOf(visitor?.properties ?? '{}')).not.toHaveProperty('$geoip_postal_code')
      expect(rows.map((row) => row.properties).join()).not.toContain('203.0.113')
      // They were in Lisbon first; what only Lisbon's record has is gone.
      await expect
        .poll(async () => (await edge.analytics.storedPerson('ada'))?.properties)
        .toEqual({
          ...inJapan,
          ...Object.fromEntries(
            Object.entries(inLisbon ?? {}).map(([name, value]) => [name.replace('$', '$initial_'), value]),
          ),
        })
      expect(await edge.analytics.storedPerson('asked not to')).toMatchObject({ properties: {} })
      expect(await edge.analytics.events.summaries([session])).toMatchObject([{ countryCode: 'FR', city: null }])
    },
  )

  test('a place is told of a person again when it is another', async ({ edge, db }) => {
    const send = async (ip: string) => {
      const payload = batch([event({ $ip: ip })])
      await edge.app.inject({ method: 'POST', url: '/ingest/batch/', payload })
    }
    const stored = async () => {
      const { rows } = await db.admin.query<{ code: string; at: number }>(
        compile(sql`
          select properties ->> '$geoip_country_code' as code, (property_times ->> '$geoip_country_code')::float8 as at
          from clew_analytics.persons`),
      )
      return rows.map(({ code, at }) => [code, at])[0]
    }
    await send('203.0.113.1')
    await expect.poll(stored).toEqual(['PT', expect.any(Number)])
    const before = await stored()
    await send('203.0.113.2')
    await edge.stored(2)
    expect(await stored()).toEqual(before)
    await send('2001:db8::2')
    await expect.poll(stored).toEqual(['JP', expect.any(Number)])
  })
})
