/** Whether two types are the same; `any` is the same as nothing else. */
type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & B ? 'any' : true) : false

/** Compiles when the value has just this type. */
export function is<A>(): <B extends A>(
  value: B,
  ...wrong: Same<A, B> extends true ? [] : [A, B]
) => void {
  return () => undefined
}
