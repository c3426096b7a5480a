import type { TableColumn } from './table.tsx'

/** The items of a list that are chosen for an action, by their keys. */
export interface Selection {
  readonly selected: ReadonlySet<string>
  readonly onSelect: (keys: readonly string[]) => void
}

interface SelectBoxProps extends Selection {
  readonly id: string
  /** What is chosen, in words. */
  readonly name: string
}

/** Takes an item into the selection, or out of it. */
export function SelectBox({ id, name, selected, onSelect }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      checked={selected.has(id)}
      onChange={() => onSelect(selected.has(id) ? [...selected].filter((each) => each !== id) : [...selected, id])}
      // A click on the row opens the item.
      onClick={(event) => event.stopPropagation()}
      className="align-middle"
    />
  )
}

interface Selectable<Item> extends Selection {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly nameOf: (item: Item) => string
}

/** Checkboxes; the one of the heading is for all that is loaded. */
export function selectColumn<Item>(list: Selectable<Item>): TableColumn<Item> {
  const { items, keyOf, nameOf, selected, onSelect } = list
  const all = items.map(keyOf)
  const hasAll = all.length > 0 && all.every((key) => selected.has(key))
  return {
    id: 'select',
    title: (
      <input
        type="checkbox"
        aria-label="Select all"
        checked={hasAll}
        ref={(box) => {
          if (box) box.indeterminate = selected.size > 0 && !hasAll
        }}
        onChange={() => onSelect(hasAll ? [] : all)}
        className="align-middle"
      />
    ),
    width: 40,
    cell: (item) => <SelectBox id={keyOf(item)} name={nameOf(item)} selected={selected} onSelect={onSelect} />,
  }
}
