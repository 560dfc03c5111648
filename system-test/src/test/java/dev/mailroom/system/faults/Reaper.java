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
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The agent inside a program that is to die: it puts the points into the methods, and
 * ends the process at the one that the test has named. Nothing is closed, nothing is said
 * to anybody: what the process held is gone as if it had been killed.
 */
public final class Reaper implements ClassFileTransformer {

	/** As a shell tells of a process that was killed. */
	private static final int KILLED = 137;

	private static final long MOMENT = 5_000_000;

	private static final ClassDesc SELF = ClassDesc.of(Reaper.class.getName());

	private static final MethodTypeDesc PASS = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

	private static volatile int named = -1;

	private Reaper() {
	}

	/** Begins before the program does. */
	public static void premain(String port, Instrumentation instrumentation) throws IOException {
		Socket test = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
		instrumentation.addTransformer(new Reaper());
		Thread.ofPlatform().daemon().name("reaper").start(() -> listen(test));
	}

	/** The test names a point by one byte, and hears it back once the point is set. */
	private static void listen(Socket test) {
		try (test) {
			InputStream in = test.getInputStream();
			OutputStream out = test.getOutputStream();
			for (int point = in.read(); point >= 0; point = in.read()) {
				named = point;
				out.write(point);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Called by the programs' methods wherever there is a point. */
	public static void pass(int point) {
		while (point == named) {
			if (point != Point.READY.number()) {
				Runtime.getRuntime().halt(KILLED);
			}
			LockSupport.parkNanos(MOMENT);
		}
	}

	@Override
	public byte[] transform(ClassLoader loader, String type, Class<?> redefined, ProtectionDomain domain,
			byte[] bytes) {
		if (Arrays.stream(Point.values()).noneMatch((point) -> point.isOf(type))) {
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
				put(builder, type, method, false);
			}

			@Override
			public void accept(CodeBuilder builder, CodeElement element) {
				if (element instanceof ReturnInstruction) {
					put(builder, type, method, true);
				}
				builder.with(element);
			}
		};
	}

	private static void put(CodeBuilder builder, String type, String method, boolean atEnd) {
		for (Point point : Point.values()) {
			if (point.isIn(type, method, atEnd)) {
				builder.loadConstant(point.number()).invokestatic(SELF, "pass", PASS);
			}
		}
	}

}
