package dev.mailroom.system.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.Socket;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Java agent in the programs under test. It inserts the points into their methods and
 * halts the process at the point that the test has set, without closing anything.
 */
public final class CrashAgent implements ClassFileTransformer {

	/** The exit status of a killed process in a shell. */
	private static final int KILLED = 137;

	private static final long WAIT_NANOS = 5_000_000;

	private static final ClassDesc SELF = ClassDesc.of(CrashAgent.class.getName());

	private static final MethodTypeDesc PASS = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

	/** Internal names of the classes with a point. */
	private static final Set<String> TYPES = Stream.of(Point.values()).map(Point::type).collect(Collectors.toSet());

	private static volatile int current = -1;

	private CrashAgent() {
	}

	/** Entry point of the agent. */
	public static void premain(String port, Instrumentation instrumentation) throws IOException {
		Socket test = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
		instrumentation.addTransformer(new CrashAgent());
		Thread.ofPlatform().daemon().name("reaper").start(() -> listen(test));
	}

	/** Reads the number of a point as one byte, and returns it once the point is set. */
	private static void listen(Socket test) {
		try (test) {
			InputStream in = test.getInputStream();
			OutputStream out = test.getOutputStream();
			for (int point = in.read(); point >= 0; point = in.read()) {
				current = point;
				out.write(point);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Called by the instrumented methods. */
	public static void pass(int point) {
		while (point == current) {
			if (point != Point.READY.number()) {
				Runtime.getRuntime().halt(KILLED);
			}
			LockSupport.parkNanos(WAIT_NANOS);
		}
	}

	@Override
	public byte[] transform(ClassLoader loader, String type, Class<?> redefined, ProtectionDomain domain,
			byte[] bytes) {
		if (!TYPES.contains(type)) {
			return null;
		}
		ClassFile classFile = ClassFile.of();
		ClassModel model = classFile.parse(bytes);
		return classFile.transformClass(model, (builder, element) -> {
			if (element instanceof MethodModel method && method.code().isPresent()) {
				builder.transformMethod(method,
						MethodTransform.transformingCode(code(type, method.methodName().stringValue())));
			}
			else {
				builder.with(element);
			}
		});
	}

	private static CodeTransform code(String type, String method) {
		return new CodeTransform() {
			@Override
			public void atStart(CodeBuilder builder) {
				insert(builder, type, method, false);
			}

			@Override
			public void accept(CodeBuilder builder, CodeElement element) {
				if (element instanceof ReturnInstruction) {
					insert(builder, type, method, true);
				}
				builder.with(element);
			}
		};
	}

	private static void insert(CodeBuilder builder, String type, String method, boolean atEnd) {
		for (Point point : Point.values()) {
			if (point.isIn(type, method, atEnd)) {
				builder.loadConstant(point.number()).invokestatic(SELF, "pass", PASS);
			}
		}
	}

}
