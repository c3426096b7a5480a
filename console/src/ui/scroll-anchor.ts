import { useLayoutEffect, useRef } from 'react'

/**
 * Keeps the rows in sight where they are when others arrive above them; at the very top, the new ones are shown. The
 * browser's own anchoring is off: it sees rows come and go as they are drawn, and would move what this has moved already.
 */
export function useScrollAnchor<Item>(
  boxRef: { readonly current: HTMLDivElement | null },
  rows: readonly Item[],
  rowKey: (item: Item) => string,
  rowPx: number,
): void {
  const first = useRef<string>(undefined)
  useLayoutEffect(() => {
    const before = first.current
    first.current = rows[0] === undefined ? undefined : rowKey(rows[0])
    const element = boxRef.current
    if (!element || before === undefined || before === first.current || element.scrollTop === 0) return
    const moved = rows.findIndex((item) => rowKey(item) === before)
    if (moved > 0) element.scrollTop += moved * rowPx
  }, [boxRef, rows, rowKey, rowPx])
}
