package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.mailroom.process.Mailroom;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.util.FileSystemUtils;

/**
 * Provides test classes with one standalone and a receiver of its traces. Each class has
 * accounts, domains and recipients of its own. The standalone is started once, and
 * stopped when the last of these classes has ended.
 */
final class SharedMailroom implements ParameterResolver, AfterAllCallback {

	/** The classes that use it. */
	private static final Set<Class<?>> USERS = Set.of(CommandsTest.class, FirstMailTest.class, ForeignReadersTest.class,
			PortsTest.class);

	private static final Namespace NAMESPACE = Namespace.create(SharedMailroom.class);

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == Running.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return running(context);
	}

	@Override
	public void afterAll(ExtensionContext context) throws Exception {
		running(context).leave(context.getRequiredTestClass());
	}

	private static Running running(ExtensionContext context) {
		return context.getRoot()
			.getStore(NAMESPACE)
			.computeIfAbsent(Running.class, (_) -> Running.start(), Running.class);
	}

	/** A standalone that ends with the test run at the latest. */
	record Running(Path directory, Collector collector, Mailroom mailroom,
			Set<Class<?>> users) implements AutoCloseable {

		private static Running start() {
			try {
				Path directory = Files.createTempDirectory("shared");
				Collector collector = new Collector();
				Mailroom mailroom = Mailroom.begin(directory.resolve("data"),
						Map.of("MAILROOM_TRACES_ENDPOINT", collector.endpoint(), "MAILROOM_TRACES_SAMPLE", "0"));
				Set<Class<?>> users = ConcurrentHashMap.newKeySet();
				users.addAll(USERS);
				return new Running(directory, collector, mailroom.ready(), users);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			catch (Exception ex) {
				throw new IllegalStateException("The standalone did not start", ex);
			}
		}

		private void leave(Class<?> user) throws Exception {
			this.users.remove(user);
			if (this.users.isEmpty()) {
				close();
			}
		}

		@Override
		public void close() throws Exception {
			this.mailroom.close();
			this.collector.close();
			FileSystemUtils.deleteRecursively(this.directory);
		}

	}

}
