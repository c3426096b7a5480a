import { createBrowserClient } from '@supabase/ssr'
import type { PageProps } from './pages'

export const supabaseOf = ({ url, publishableKey }: PageProps['backend']) => createBrowserClient(url, publishableKey)
