package dev.mailroom.worker.send;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits the time for which a consumer closes. It leaves its group at once, and would
 * then wait for the response to its last fetch, which the broker delays by up to
 * {@code fetch.max.wait.ms} while there are no records.
 */
final class QuickClose implements InvocationHandler {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private final Consumer<?, ?> consumer;

	private QuickClose(Consumer<?, ?> consumer) {
		this.consumer = consumer;
	}

	@SuppressWarnings("unchecked")
	static <K, V> Consumer<K, V> of(Consumer<K, V> consumer) {
		return (Consumer<K, V>) Proxy.newProxyInstance(QuickClose.class.getClassLoader(),
				new Class<?>[] { Consumer.class }, new QuickClose(consumer));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		if (method.getName().equals("close") && method.getParameterCount() == 0) {
			this.consumer.close(CloseOptions.timeout(TIMEOUT));
			return null;
		}
		try {
			return method.invoke(this.consumer, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
