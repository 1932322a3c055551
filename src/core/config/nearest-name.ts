/** The number of characters to insert, delete or replace (Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1]
    for (let index = 0; index < to.length; index += 1) {
      const replaced = (row[index] ?? 0) + (from[at] === to[index] ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The most similar name in any case; `undefined` if none is similar. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const limit = Math.min(word.length - 1, Math.max(2, word.length / 3))
  const far = (name: string) => distance(word.toLowerCase(), name.toLowerCase())
  const near = names.filter((name) => far(name) <= limit)
  return near.sort((a, b) => far(a) - far(b))[0]
}
