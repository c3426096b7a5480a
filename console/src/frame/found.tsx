import { Command } from 'cmdk'
import type { ReactNode } from 'react'

interface GroupProps {
  readonly heading: string
  readonly children: ReactNode
}

/** What was found of one kind. */
export function Group({ heading, children }: GroupProps) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-2 [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  )
}

interface ItemProps {
  readonly value: string
  readonly onSelect: () => void
  readonly children: ReactNode
}

/** One of them. */
export function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 data-[selected=true]:bg-thread-wash"
    >
      {children}
    </Command.Item>
  )
}

interface FoundNamesProps {
  readonly heading: string
  /** In the order in which they are shown. */
  readonly names: readonly string[]
  /** In lower case. */
  readonly wanted: string
  readonly onChoose: (name: string) => void
}

const mostNames = 8

/** The names of a list that hold the text. */
export function FoundNames({ heading, names, wanted, onChoose }: FoundNamesProps) {
  const found = names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, mostNames)
  if (found.length === 0) return null
  return (
    <Group heading={heading}>
      {found.map((name) => (
        <Item key={name} value={`${heading} ${name}`} onSelect={() => onChoose(name)}>
          <span className="mono truncate">{name}</span>
        </Item>
      ))}
    </Group>
  )
}
