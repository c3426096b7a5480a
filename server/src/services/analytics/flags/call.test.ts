import { expect, test } from 'vitest'
import { parseFlagCall } from './call.ts'

const place = { $geoip_country_code: 'PT', $geoip_city_name: 'Lisbon' }

test.each([
  [{}, place],
  [
    { person_properties: { $geoip_country_code: 'FR', plan: 'pro' } },
    { ...place, $geoip_country_code: 'FR', plan: 'pro' },
  ],
  [{ geoip_disable: true, person_properties: { plan: 'pro' } }, { plan: 'pro' }],
])('flags are evaluated for the place of the request, unless the call says otherwise: %j', (body, expected) => {
  expect(parseFlagCall({ distinct_id: 'ada', ...body }, place).personProperties).toEqual(expected)
})
