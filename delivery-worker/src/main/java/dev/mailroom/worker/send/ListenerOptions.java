package dev.mailroom.worker.send;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Options of the listener that have no property. */
@Configuration(proxyBeanMethods = false)
class ListenerOptions {

	/**
	 * The next poll does not wait for the commit of the offsets: leases received twice
	 * are void at the fence, and lost ones expire.
	 */
	@Bean
	ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> asynchronousCommits() {
		return (container) -> container.getContainerProperties().setSyncCommits(false);
	}

	@Bean
	DefaultKafkaConsumerFactoryCustomizer quickClose() {
		return ListenerOptions::closeQuickly;
	}

	private static <K, V> void closeQuickly(DefaultKafkaConsumerFactory<K, V> factory) {
		factory.addPostProcessor(QuickClose::of);
	}

	/**
	 * Limits the time for which a consumer closes. It leaves its group at once, and would
	 * then wait for the response to its last fetch, which the broker delays by up to
	 * {@code fetch.max.wait.ms} while there are no records.
	 */
	private static final class QuickClose implements InvocationHandler {

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

}
