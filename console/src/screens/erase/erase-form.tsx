import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { PersonKey } from '../../lib/api/privacy.ts'
import type { ErasurePreview } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { AccountPart } from './account-part.tsx'
import { Check } from './check.tsx'
import { type Choice, toSend } from './choices.ts'
import { HoldsCard } from './holds-card.tsx'
import { Kept } from './kept.tsx'
import { NamesPart } from './names-part.tsx'
import { checkQuery } from './queries.ts'
import { Stays } from './stays.tsx'

interface EraseFormProps {
  readonly personKey: PersonKey
  readonly preview: ErasurePreview
  readonly onBegun: (erasureId: string) => void
}

/** The name that is typed to confirm: an address where there is one. */
const nameOf = ({ texts, personId, userId }: ErasurePreview): string =>
  texts.find(({ text }) => text.includes('@'))?.text ?? texts[0]?.text ?? (userId ?? personId ?? '').slice(0, 8)

/** What is kept, what becomes of rows, what is looked for, what stays; then a name to type, and the erasure begins. */
export function EraseForm({ personKey, preview, onBegun }: EraseFormProps) {
  const { tables, texts, backups, holds } = preview
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({})
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(
    new Set(texts.flatMap(({ text, isTelling }) => (isTelling ? [] : [text]))),
  )
  const [refuse, setRefuse] = useState(false)
  const [typed, setTyped] = useState('')
  const proof = useProof()
  const sent = toSend(tables, choices)
  const check = useQuery({ ...checkQuery(personKey, sent), enabled: preview.hasAccount })
  const erase = useMutation({
    mutationFn: () =>
      api.erasePerson({
        ...personKey,
        texts: texts.flatMap(({ text }) => (leftOut.has(text) ? [] : [text])),
        tables: [...sent],
        refuse,
      }),
    onSuccess: ({ id }) => onBegun(id),
    onError: (problem) => proof.ask(problem, () => erase.mutate()),
  })
  const name = nameOf(preview)
  const isPossible = !preview.hasAccount || (check.data !== undefined && check.data.refusal === null)
  const problem = erase.error && !isProofNeeded(erase.error) ? errorText(erase.error) : undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <form
        className="mx-auto grid max-w-[720px] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-6"
        onSubmit={(event) => {
          event.preventDefault()
          erase.mutate()
        }}
      >
        {holds.length > 0 && <HoldsCard holds={holds} />}
        <Kept preview={preview} />
        {preview.hasAccount && (
          <AccountPart
            tables={tables}
            choices={choices}
            onChoose={(place, choice) => setChoices({ ...choices, [place]: choice })}
            check={check}
          />
        )}
        <NamesPart texts={texts} leftOut={leftOut} onToggle={(text, on) => setLeftOut(toggled(leftOut, text, !on))} />
        <Card title="What stays" about={<Stays backups={backups} />} />
        <Card title="Erase" about="This cannot be undone. A job does it, which goes on when you leave.">
          <Check
            on={refuse}
            onToggle={setRefuse}
            label="Refuse for the future: nothing more is stored under these ids"
            hint="the ids stay in the list of refusals for it; without it, a next visit makes a new person"
          />
          <Field
            label={`Type ${name} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            problem={problem}
          />
          <Button
            type="submit"
            look="danger"
            size="large"
            className="justify-center"
            disabled={typed !== name || !isPossible || holds.length > 0 || erase.isPending}
          >
            Erase everything
          </Button>
        </Card>
      </form>
      {proof.dialog}
    </div>
  )
}

function toggled(set: ReadonlySet<string>, text: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set)
  if (isIn) next.add(text)
  else next.delete(text)
  return next
}
