/** The classes as one object, in a module of its own: a bundle without it contains only classes that are used. */
export * from './classes.ts'
