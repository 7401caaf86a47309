// A decoder that cannot even be loaded.
throw new Error("no such luck");
