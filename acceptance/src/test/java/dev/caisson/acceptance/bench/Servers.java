package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.bench.warm.Warm;
import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Path;

/// Ways to start the servers that are measured.
enum Servers implements Warm.Starter {
    /// By the launcher, as a user does.
    LAUNCHED {
        @Override
        public Product start(Path data, String... options) throws IOException {
            return Product.launched(data, options);
        }

        @Override
        public Product again(Path data, Product other) throws IOException {
            return Product.launchedAgain(data, other);
        }

        @Override
        public Product uncached(Path data) throws IOException {
            return Product.launchedUncached(data);
        }
    },
    /// From the classes of this build, which has no start-up cache.
    BUILT {
        @Override
        public Product start(Path data, String... options) throws IOException {
            return Product.start(data, options);
        }

        @Override
        public Product again(Path data, Product other) throws IOException {
            return Product.again(data, other);
        }

        @Override
        public Product uncached(Path data) throws IOException {
            return Product.start(data);
        }
    }
}
