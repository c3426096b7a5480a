import { type FormEvent, useState } from 'react'
import type { WhyAnswer } from '../../lib/api/schemas.ts'
import { readableQuery } from '../../lib/request-text.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { callerOf, type WhyCaller, type WhyMethod, whyMethods } from './queries.ts'
import type { WhySearch } from './search.ts'

interface QuestionFormProps {
  readonly search: WhySearch
  /** What was answered to it, with the request that it was about. */
  readonly answer: WhyAnswer | undefined
  readonly isAsking: boolean
  readonly onAsk: (search: WhySearch) => void
}

const callers: readonly { readonly value: WhyCaller; readonly label: string }[] = [
  { value: 'anon', label: 'anon, nobody signed in' },
  { value: 'user', label: 'a user' },
  { value: 'authenticated', label: 'authenticated, without a user' },
  { value: 'service_role', label: 'service_role' },
]

/** The request that is asked about: one that was made, or any, as anyone. */
export function QuestionForm({ search, answer, isAsking, onAsk }: QuestionFormProps) {
  const [method, setMethod] = useState<WhyMethod>(methodOf(answer?.method ?? search.method))
  const [caller, setCaller] = useState<WhyCaller>(callerOf(search))
  const kept = search.request
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const sent = text('body') === '' ? {} : { body: text('body') }
    if (kept !== undefined) return onAsk({ request: kept, ...sent })
    const [path = '', query = ''] = text('address').split('?', 2)
    onAsk({
      ...{ method, path, as: caller },
      ...(query !== '' && { query }),
      ...(caller === 'user' && { user: text('user') }),
      ...(method !== 'GET' && method !== 'DELETE' && sent),
    })
  }
  const writes = method === 'POST' || method === 'PATCH' || method === 'PUT'
  const address = `${search.path ?? ''}${search.query === undefined ? '' : `?${search.query}`}`
  return (
    <form aria-label="Question" className="grid content-start gap-4" onSubmit={ask}>
      {kept === undefined ? (
        <>
          <div className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-2">
            <Select
              label="Method"
              className="h-8"
              value={method}
              options={whyMethods.map((value) => ({ value, label: value }))}
              onChange={setMethod}
            />
            <Field
              label="Address behind /rest/v1/"
              name="address"
              required
              autoComplete="off"
              defaultValue={address}
              placeholder="orders?status=eq.open"
            />
          </div>
          <Select label="Caller" className="h-8" value={caller} options={callers} onChange={setCaller} />
          {caller === 'user' && (
            <Field
              label="User (email address or id)"
              name="user"
              required
              autoComplete="off"
              maxLength={320}
              defaultValue={search.user ?? ''}
            />
          )}
        </>
      ) : (
        answer && <Kept answer={answer} />
      )}
      {writes && (
        <TextArea
          label={kept === undefined ? 'JSON that is sent' : 'JSON that was sent; it is not kept'}
          name="body"
          rows={5}
          defaultValue={search.body ?? ''}
        />
      )}
      {(kept === undefined || writes) && (
        <Button type="submit" look="primary" className="justify-self-start" disabled={isAsking}>
          {isAsking ? 'Asking …' : 'Ask'}
        </Button>
      )}
    </form>
  )
}

const methodOf = (text: string | undefined): WhyMethod => whyMethods.find((one) => one === text) ?? 'GET'

/** The request that was made, and its caller. */
function Kept({ answer: { method, path, query, role, claims, recorded } }: { readonly answer: WhyAnswer }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="mono wrap-anywhere">
        <b className="font-medium">{method}</b> {path}
        <span className="text-ink-2">{readableQuery(query)}</span>
      </p>
      {recorded && (
        <p className="text-ink-2">
          answered {recorded.status}
          {recorded.rows !== null && ` with ${recorded.rows} ${recorded.rows === 1 ? 'row' : 'rows'}`}
          {recorded.errorCode !== null && `, ${recorded.errorCode}`}
        </p>
      )}
      <details className="text-ink-2">
        <summary className="cursor-pointer">
          asked again as <span className="mono text-ink">{nameOf(claims) ?? role}</span>, with the claims of now
        </summary>
        <Code className="mt-2" text={JSON.stringify(claims, null, 2)} />
      </details>
    </div>
  )
}

const nameOf = ({ email, sub }: WhyAnswer['claims']): string | null => {
  if (typeof email === 'string' && email !== '') return email
  return typeof sub === 'string' ? sub : null
}
