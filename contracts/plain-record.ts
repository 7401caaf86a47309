import { z } from "zod";

/**
 * A record of names that a document chooses, such as `z.record()` reads it, but for a member `__proto__`: that is
 * refused here, where `z.record()` leaves it out of its copy without a word.
 */
export const plainRecord = <T extends z.ZodType>(record: T): z.ZodType<z.output<T>> =>
  z.preprocess((value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
      context.addIssue({ code: "custom", message: "a member __proto__" });
    return value;
  }, record);
