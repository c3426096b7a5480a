import { createBrowserClient } from '@supabase/ssr'

/** What the browser is told of its backend. */
export interface Backend {
  url: string
  publishableKey: string
  ingestToken: string
}

export const supabaseOf = ({ url, publishableKey }: Backend) => createBrowserClient(url, publishableKey)
