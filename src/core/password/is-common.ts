/** What remains without up to six digits and signs at the end, which users append to reach a length. */
const APPENDED = /[\P{L}]{1,6}$/u

/** The part that the whole text repeats. */
const REPEATED = /^(.+?)\1+$/su

/** Characters of a part that no list needs to contain: `111111111111` and `abcabcabcabc` are among the most frequent ones. */
const SHORT = 3

/** Whether a password is on a list in small letters, also with characters appended or repeated. */
export function isCommon(password: string, list: ReadonlySet<string>): boolean {
  const text = password.toLowerCase()
  const base = text.replace(APPENDED, '')
  const parts = [text, base].flatMap((each) => REPEATED.exec(each)?.[1] ?? [])
  return (
    parts.some((part) => part.length <= SHORT) ||
    [text, base, ...parts].some((each) => list.has(each))
  )
}
