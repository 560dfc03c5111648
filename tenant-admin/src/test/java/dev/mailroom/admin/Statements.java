package dev.mailroom.admin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.stereotype.Component;

/** Records the SQL statements that the app runs. */
@Component
public class Statements implements BeanPostProcessor {

	private final List<String> recorded = new CopyOnWriteArrayList<>();

	/** The statements since the last call, without those that open transactions. */
	public List<String> take() {
		List<String> statements = this.recorded.stream()
			.filter((sql) -> !sql.startsWith("select set_config") && !sql.startsWith("set local"))
			.toList();
		this.recorded.clear();
		return statements;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof ConnectionFactory factory) ? proxy(ConnectionFactory.class, factory, this::connection)
				: bean;
	}

	private Object connection(Method method, Object result) {
		return method.getName().equals("create")
				? Mono.from((Publisher<?>) result)
					.map((connection) -> proxy(Connection.class, (Connection) connection, (_, value) -> value))
				: result;
	}

	private <T> T proxy(Class<T> type, T target, Result results) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (_, method, arguments) -> {
				if (method.getName().equals("createStatement")) {
					this.recorded.add(((String) arguments[0]).strip());
				}
				try {
					return results.of(method, method.invoke(target, arguments));
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	/** Replaces the result of a call. */
	@FunctionalInterface
	private interface Result {

		Object of(Method method, Object result);

	}

}
