import { createClient, type PostgrestError } from '@supabase/supabase-js'
import posthog from 'posthog-js'

// The café is served by the same process as its API; set VITE_API_URL when it is not.
const url = import.meta.env.VITE_API_URL ?? window.location.origin

export const supabase = createClient(url, import.meta.env.VITE_SUPABASE_KEY)

posthog.init(import.meta.env.VITE_POSTHOG_KEY, {
  api_host: `${url}/ingest`,
  defaults: '2025-05-24',
  tracing_headers: [new URL(url).hostname],
  // What happens here is looked at while it happens; three seconds would be waited for by default.
  request_queue_config: { flush_interval_ms: 250 },
})

export interface Product {
  id: number
  name: string
  description: string
  price_cents: number
  stock: number
  hue: number
  /** The bucket and the path of its photograph. */
  photo: string | null
}

/** A line of the basket. */
export interface Line {
  product: Product
  quantity: number
}

export interface Category {
  id: number
  name: string
  products: Product[]
}

/** A refused call as an exception, which has the place in the code where it was refused. */
export function failureOf(call: string, { code, message }: PostgrestError) {
  const failure = new Error(message)
  failure.name = `${call} ${code}`.trim()
  return failure
}

export const euros = (cents: number) => `€ ${(cents / 100).toFixed(2)}`

/** Where a photograph is, cut to a square of so many pixels. */
export function photoUrl(photo: string, width: number) {
  const [bucket, ...path] = photo.split('/')
  const transform = { width, height: width, resize: 'cover' } as const
  return supabase.storage.from(bucket).getPublicUrl(path.join('/'), { transform }).data.publicUrl
}
