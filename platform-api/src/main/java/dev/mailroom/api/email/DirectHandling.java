package dev.mailroom.api.email;

import java.util.stream.Stream;

import dev.mailroom.api.docs.Deprecations;
import dev.mailroom.http.ClientNetworks;
import dev.mailroom.trackingdomain.TrackingNames;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts {@link DirectSends} in front of the app's handler, but not of that of the
 * management port. With a trace collector, or if the document announces the end of the
 * operation, all requests pass the filters, as do those that may be for a tracking
 * domain.
 */
@Configuration(proxyBeanMethods = false)
class DirectHandling {

	@Bean
	static BeanPostProcessor directHandler(ObjectProvider<DirectSends> sends, ObjectProvider<ClientNetworks> clients,
			ObjectProvider<Deprecations> deprecations, ObjectProvider<TrackingNames> names, Environment environment) {
		boolean traced = !environment.getProperty("mailroom.traces.endpoint", "").isBlank();
		SingletonSupplier<DirectSends> direct = SingletonSupplier.of(sends::getObject);
		SingletonSupplier<ClientNetworks> networks = SingletonSupplier.of(clients::getObject);
		SingletonSupplier<TrackingNames> hosts = SingletonSupplier.of(names::getObject);
		return new BeanPostProcessor() {
			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof HttpHandler chain && !traced && Stream.of(DirectSends.SINGLE, DirectSends.BATCH)
					.noneMatch((path) -> deprecations.getObject().hasEnd(HttpMethod.POST, path)))
							? (HttpHandler) (request,
									response) -> hosts.obtain().isOther(request.getHeaders().getFirst(HttpHeaders.HOST))
											? direct.obtain()
												.handle(request, response, chain)
												.contextWrite(networks.obtain().context(request))
											: chain.handle(request, response)
							: bean;
			}
		};
	}

}
