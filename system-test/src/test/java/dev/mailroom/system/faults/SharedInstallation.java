package dev.mailroom.system.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.util.FileSystemUtils;

/** Provides test classes with one installation, which is started once. */
final class SharedInstallation implements ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(SharedInstallation.class);

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == Installation.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getRoot()
			.getStore(NAMESPACE)
			.computeIfAbsent(Running.class, (_) -> Running.start(), Running.class)
			.installation();
	}

	/** An installation that ends with the test run. */
	private record Running(Path directory, Installation installation) implements AutoCloseable {

		static Running start() {
			try {
				Path directory = Files.createTempDirectory("faults");
				return new Running(directory, new Installation(directory, true));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			catch (Exception ex) {
				throw new IllegalStateException("The installation did not start", ex);
			}
		}

		@Override
		public void close() throws Exception {
			try {
				this.installation.close();
			}
			finally {
				FileSystemUtils.deleteRecursively(this.directory);
			}
		}

	}

}
