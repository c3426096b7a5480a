import type { EmailOtpType } from '@supabase/supabase-js'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { sessionContext } from '../session.server'

/** The link of a mail, when its template leads here with {{ .TokenHash }}. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const { error } = await context.get(sessionContext).supabase.auth.verifyOtp({
    type: searchParams.get('type') as EmailOtpType,
    token_hash: searchParams.get('token_hash') ?? '',
  })
  return redirect(error === null ? '/notes' : '/', 303)
}
