import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { api } from '../api/api.ts'
import type { UserSummary } from '../api/schemas.ts'

/** A few users of the application whose address, number, name or id holds a text. */
const usersMatchingQuery = (text: string) =>
  queryOptions({
    queryKey: ['users matching', text],
    queryFn: ({ signal }) => api.users({ text, limit: 5 }, { signal }),
  })

interface UserPickerProps {
  readonly label: string
  readonly onPick: (user: UserSummary) => void
}

/** Finds a user of the application by what is typed of them. */
export function UserPicker({ label, onPick }: UserPickerProps) {
  const [text, setText] = useState('')
  const { data } = useQuery({
    ...usersMatchingQuery(text),
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="grid gap-1">
      <Field
        label={label}
        placeholder="Email, phone, name or id"
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      {text.length > 1 && data && (
        <ul aria-label="Users found" className="grid">
          {data.users.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                className="flex h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-sunken"
                onClick={() => {
                  onPick(user)
                  setText('')
                }}
              >
                {user.email ?? user.phone ?? user.id}
                <span className="text-ink-2">{user.name}</span>
              </button>
            </li>
          ))}
          {data.users.length === 0 && <li className="px-2 text-ink-2">No such user.</li>}
        </ul>
      )}
    </div>
  )
}
