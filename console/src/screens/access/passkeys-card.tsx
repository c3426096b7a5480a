import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Access } from '../../lib/api/schemas.ts'
import { createPasskey, type PasskeySupport, passkeyProblem } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardProblem } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import type { FactorEvents } from './app-card.tsx'
import { deviceName } from './device.ts'

interface PasskeysCardProps extends FactorEvents {
  readonly passkeys: Access['passkeys']
  readonly support: PasskeySupport
}

const about = {
  yes: 'Your fingerprint, face or security key, requested after your password.',
  address: 'Passkeys need a host name: open the console at localhost, or at its domain, to add one.',
  no: 'This browser does not support passkeys.',
} as const satisfies Record<PasskeySupport, string>

/** Passkeys: added, renamed, removed. */
export function PasskeysCard({ passkeys, support, onChanged, onProofNeeded, onRecoveryCodes }: PasskeysCardProps) {
  const add = useMutation({
    async mutationFn() {
      const { ticket, options } = await api.beginPasskey()
      const credential = await createPasskey(options)
      return api.addPasskey({ ticket, credential, name: deviceName(navigator.userAgent) })
    },
    onSuccess({ recoveryCodes }) {
      onChanged()
      if (recoveryCodes !== null) onRecoveryCodes(recoveryCodes)
    },
    onError: (error) => isProofNeeded(error) && onProofNeeded(() => add.mutate()),
  })
  const remove = useMutation({
    mutationFn: api.removePasskey,
    onSuccess: onChanged,
    onError: (error, id) => isProofNeeded(error) && onProofNeeded(() => remove.mutate(id)),
  })
  const problem =
    remove.error && !isProofNeeded(remove.error)
      ? errorText(remove.error)
      : add.error && !isProofNeeded(add.error)
        ? passkeyProblem(add.error)
        : undefined
  return (
    <Card
      title="Passkeys"
      about={about[support]}
      action={
        support === 'yes' && (
          <Button disabled={add.isPending} onClick={() => add.mutate()}>
            {add.isPending ? 'Waiting for the browser…' : 'Add a passkey'}
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul className="grid divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyLine
              key={passkey.id}
              passkey={passkey}
              onChanged={onChanged}
              onRemove={() => remove.mutate(passkey.id)}
            />
          ))}
        </ul>
      )}
      <CardProblem text={problem} />
    </Card>
  )
}

interface PasskeyLineProps {
  readonly passkey: Access['passkeys'][number]
  readonly onChanged: () => void
  readonly onRemove: () => void
}

function PasskeyLine({ passkey: { id, name, createdAt, lastUsedAt }, onChanged, onRemove }: PasskeyLineProps) {
  const [isNaming, setNaming] = useState(false)
  const rename = useMutation({
    mutationFn: (next: string) => api.renamePasskey(id, next),
    onSuccess() {
      setNaming(false)
      onChanged()
    },
  })
  if (isNaming)
    return (
      <li className="py-2">
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            rename.mutate(String(new FormData(event.currentTarget).get('name')))
          }}
        >
          <Field
            label="Name"
            name="name"
            defaultValue={name}
            maxLength={100}
            required
            autoFocus
            problem={rename.error ? errorText(rename.error) : undefined}
          />
          <Button type="submit">Save</Button>
          <Button look="bare" onClick={() => setNaming(false)}>
            Cancel
          </Button>
        </form>
      </li>
    )
  return (
    <li className="flex items-center gap-2 py-2">
      <div className="grid min-w-0 flex-1">
        <span className="truncate">{name}</span>
        <span className="text-ink-2 text-sm">
          added <Time at={createdAt} /> ·{' '}
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              used <Time at={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      <Button size="small" aria-label={`Rename ${name}`} onClick={() => setNaming(true)}>
        Rename
      </Button>
      <Button size="small" look="danger" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}
