package dev.mailroom.worker.send;

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

}
