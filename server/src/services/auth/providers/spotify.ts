import { listAt, textAt, valueAt } from './json.ts'
import type { ProviderDefinition } from './provider.ts'

/** @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow */
export const spotify: ProviderDefinition = {
  scopes: ['user-read-email'],
  clientAuthentication: 'basic',
  endpoints: (url) => {
    const host = url ?? 'https://accounts.spotify.com'
    return { authorization: `${host}/authorize`, token: `${host}/api/token`, api: url ?? 'https://api.spotify.com/v1' }
  },
  async readUser({ endpoints: { api }, get }) {
    const user = await get(`${api}/me`)
    const subject = textAt(user, 'id')
    const address = textAt(user, 'email')
    const name = textAt(user, 'display_name')
    const picture = textAt(largest(listAt(user, 'images')), 'url')
    return {
      subject,
      // Spotify says that it does not verify the address.
      emails: address === '' ? [] : [{ address, verified: false, primary: true }],
      claims: { iss: api, name, picture, avatar_url: picture, full_name: name, provider_id: subject },
    }
  },
}

const areaOf = (image: unknown): number =>
  (Number(valueAt(image, 'height')) || 0) * (Number(valueAt(image, 'width')) || 0)

const largest = (images: readonly unknown[]): unknown =>
  images.reduce((best, image) => (areaOf(image) > areaOf(best) ? image : best), images[0])
