/** Runs in the page: a cell among rows of which those in sight are drawn anew with each move, by the shortest script. */
const script = `
  const [box, table, body] = ['div', 'table', 'tbody'].map((name) => document.querySelector(name))
  const [rows, columns, rowPx, seenPx] = [250_000, 12, 32, 800]
  let active = { row: 0, column: 0 }
  const draw = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / rowPx) - 8)
    const end = Math.min(rows, Math.ceil((box.scrollTop + seenPx) / rowPx) + 8)
    const space = (count) => '<tr><td colspan="13" style="height:' + count * rowPx + 'px"></td></tr>'
    let html = space(first)
    for (let row = first; row < end; row += 1) {
      html += '<tr><th>' + row + '</th>'
      for (let column = 0; column < columns; column += 1) {
        const isActive = row === active.row && column === active.column
        html += '<td' + (isActive ? ' class="active"' : '') + '>value ' + row + ' of ' + column + '</td>'
      }
      html += '</tr>'
    }
    body.innerHTML = html + space(rows - end)
  }
  const moves = {
    ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
    ArrowRight: ({ row, column }) => ({ row, column: Math.min(columns - 1, column + 1) }),
    PageDown: ({ row, column }) => ({ row: row + 24, column }),
    End: ({ column }) => ({ row: rows - 1, column }),
    Home: ({ column }) => ({ row: 0, column }),
  }
  const go = (next) => {
    active = next
    const top = active.row * rowPx
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + 2 * rowPx > box.scrollTop + seenPx) box.scrollTop = top + 2 * rowPx - seenPx
    draw()
  }
  table.addEventListener('keydown', (event) => {
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    go(move(active))
  })
  body.addEventListener('mousedown', ({ target }) => {
    const cell = target.closest('td')
    if (cell !== null) go({ row: Number(cell.parentNode.firstChild.textContent), column: cell.cellIndex - 1 })
  })
  box.addEventListener('scroll', draw, { passive: true })
  draw()
  table.focus()`

/**
 * A page with a table of as many cells as the console's grid draws, of which a cell is moved by keys and clicks: what the browser
 * itself takes for such a table.
 */
export const gridFloorPage = `<!doctype html>
<style>
  body { margin: 100px 0 0 208px; font: 13px sans-serif; overflow: hidden }
  div { height: 800px; overflow: auto }
  table { border-spacing: 0; table-layout: fixed; width: 1900px }
  th, td { height: 32px; box-sizing: border-box; padding: 0 8px; border: solid #ddd; border-width: 0 1px 1px 0; overflow: hidden; white-space: nowrap }
  th { position: sticky; left: 0; width: 76px; background: white }
  .active { outline: 2px solid black; outline-offset: -2px }
</style>
<div><table tabindex="0"><tbody></tbody></table></div>
<script>{${script}}</script>`
