import type { Column } from '../../../lib/api/schemas.ts'
import { widthOf } from '../column-types.ts'

/** How a table's columns are shown: what is chosen by hand, the rest is as the table has it. */
export interface ColumnLayout {
  /** Names in the chosen order; columns that are not named come after them. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** Those that stay at the left edge while others scroll. */
  readonly frozen: readonly string[]
  /** Pixels by name. */
  readonly widths: Readonly<Record<string, number>>
}

/** The columns as the table has them. */
export const plainLayout: ColumnLayout = { order: [], hidden: [], frozen: [], widths: {} }

/** The widths that a column can have, in pixels. */
export const widthRange = { least: 56, most: 1200 }

/** A column in its place. */
export interface PlacedColumn {
  readonly column: Column
  readonly width: number
  readonly isHidden: boolean
  readonly isFrozen: boolean
}

/** All columns in their order, those that are frozen first. */
export function placeColumns(columns: readonly Column[], layout: ColumnLayout): readonly PlacedColumn[] {
  const placeOf = ({ name }: Column) => {
    const place = layout.order.indexOf(name)
    return place === -1 ? layout.order.length : place
  }
  const placed = columns
    .toSorted((left, right) => placeOf(left) - placeOf(right))
    .map((column) => ({
      column,
      width: layout.widths[column.name] ?? widthOf(column),
      isHidden: layout.hidden.includes(column.name),
      isFrozen: layout.frozen.includes(column.name),
    }))
  return [...placed.filter(({ isFrozen }) => isFrozen), ...placed.filter(({ isFrozen }) => !isFrozen)]
}

/** The columns that are shown; all of them where none is left. */
export function shownColumns(columns: readonly Column[], layout: ColumnLayout): readonly PlacedColumn[] {
  const placed = placeColumns(columns, layout)
  const shown = placed.filter(({ isHidden }) => !isHidden)
  return shown.length === 0 ? placed : shown
}

const toggled = (names: readonly string[], name: string): readonly string[] =>
  names.includes(name) ? names.filter((one) => one !== name) : [...names, name]

/** Hides a column, or shows it again. */
export const toggleHidden = (layout: ColumnLayout, name: string): ColumnLayout => ({
  ...layout,
  hidden: toggled(layout.hidden, name),
})

/** Freezes a column, or lets it scroll again. */
export const toggleFrozen = (layout: ColumnLayout, name: string): ColumnLayout => ({
  ...layout,
  frozen: toggled(layout.frozen, name),
})

/** @param width absent for the column's own */
export function setWidth(layout: ColumnLayout, name: string, width: number | undefined): ColumnLayout {
  const { [name]: _, ...others } = layout.widths
  if (width === undefined) return { ...layout, widths: others }
  const bounded = Math.round(Math.min(widthRange.most, Math.max(widthRange.least, width)))
  return { ...layout, widths: { ...others, [name]: bounded } }
}

/** Puts a column where another one stands, frozen as that is. */
export function putAt(columns: readonly Column[], layout: ColumnLayout, name: string, target: string): ColumnLayout {
  const placed = placeColumns(columns, layout)
  const names = placed.map(({ column }) => column.name)
  const [from, to] = [names.indexOf(name), names.indexOf(target)]
  if (from === -1 || to === -1 || from === to) return layout
  const order = names.toSpliced(from, 1).toSpliced(to, 0, name)
  const others = layout.frozen.filter((one) => one !== name)
  return { ...layout, order, frozen: placed[to]?.isFrozen ? [...others, name] : others }
}

/** Moves a column before the one at its left, or after the one at its right, among those that are shown or frozen as it is. */
export function moveBy(columns: readonly Column[], layout: ColumnLayout, name: string, by: 1 | -1): ColumnLayout {
  const placed = placeColumns(columns, layout)
  const at = placed.findIndex(({ column }) => column.name === name)
  const [own, target] = [placed[at], placed[at + by]]
  return own && target && own.isFrozen === target.isFrozen ? putAt(columns, layout, name, target.column.name) : layout
}

/** Whether the columns are shown as the table has them. */
export const isPlain = ({ order, hidden, frozen, widths }: ColumnLayout): boolean =>
  order.length + hidden.length + frozen.length + Object.keys(widths).length === 0

const keyOf = (schema: string, table: string): string => `clew.columns.${JSON.stringify([schema, table])}`

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** The layout that this browser keeps of a table. */
export function readLayout(schema: string, table: string): ColumnLayout {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(schema, table)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return plainLayout
    const { order, hidden, frozen, widths } = stored as Readonly<Record<string, unknown>>
    const pixels = Object.entries(typeof widths === 'object' && widths !== null ? widths : {})
    return {
      ...{ order: textsIn(order), hidden: textsIn(hidden), frozen: textsIn(frozen) },
      widths: Object.fromEntries(pixels.filter(([, px]) => typeof px === 'number')),
    }
  } catch {
    return plainLayout
  }
}

/** Keeps a layout in this browser; the table's own needs no keeping. */
export function keepLayout(schema: string, table: string, layout: ColumnLayout): void {
  try {
    if (isPlain(layout)) localStorage.removeItem(keyOf(schema, table))
    else localStorage.setItem(keyOf(schema, table), JSON.stringify(layout))
  } catch {
    // Storage refused (private window, policy): the layout holds until the page is left.
  }
}
