// A decoder that loads for ever.
for (;;);
