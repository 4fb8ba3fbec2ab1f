// Runs a model with one input of float32 numbers on ones, and prints what it gives.
//     rustc run.rs -L FOLDER -l apus -o run && ./run MODEL
use std::ffi::{c_char, c_void, CStr, CString};

#[repr(C)]
struct Error {
    size: i64,
    status: i32,
    reserved: i32,
    message: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    size: i64,
    name: *const c_char,
    kind: i32,
    rank: i32,
    dimensions: [i64; 16],
    data: *mut c_void,
    byte_count: i64,
    free_axes: u32,
    is_optional: i32,
    scale: f32,
    zero_point: i32,
}

#[repr(C)]
struct Tensors {
    size: i64,
    items: *const Tensor,
    count: i64,
}

#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

const TENSORS: &[u8] = b"tensors\0";

extern "C" {
    fn apus_abi_version() -> i32;
    fn apus_open(name: *const c_char, task: *const c_char, settings: *const c_char, call: *const c_void, model: *mut *mut Opaque, error: *mut *mut Error) -> u32;
    fn apus_model_release(model: *mut Opaque);
    fn apus_inputs(model: *mut Opaque, network: *const c_char, inputs: *mut *mut Tensors, error: *mut *mut Error) -> u32;
    fn apus_run_all(model: *mut Opaque, network: *const c_char, inputs: *const Tensor, count: i64, call: *const c_void, results: *mut *mut Tensors, error: *mut *mut Error) -> u32;
    fn apus_free(block: *mut c_void);
}

/// What a call gave, or the words of its error.
fn checked(status: u32, error: *mut Error) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    if error.is_null() {
        return Err(format!("status {status}"));
    }
    let message = unsafe { CStr::from_ptr((*error).message) }.to_string_lossy().into_owned();
    unsafe { apus_free(error.cast()) };
    Err(message)
}

fn run(name: &str) -> Result<(), String> {
    let name = CString::new(name).map_err(|error| error.to_string())?;
    let (mut model, mut error) = (std::ptr::null_mut(), std::ptr::null_mut());
    let null = std::ptr::null();
    let status = unsafe { apus_open(name.as_ptr(), TENSORS.as_ptr().cast(), null, std::ptr::null(), &mut model, &mut error) };
    checked(status, error)?;
    let mut ports: *mut Tensors = std::ptr::null_mut();
    checked(unsafe { apus_inputs(model, null, &mut ports, &mut error) }, error)?;
    let mut input = unsafe { *(*ports).items };
    let count: i64 = input.dimensions[..input.rank as usize].iter().product();
    let mut ones = vec![1f32; count as usize];
    input.data = ones.as_mut_ptr().cast();
    input.byte_count = count * 4;
    let mut results: *mut Tensors = std::ptr::null_mut();
    checked(unsafe { apus_run_all(model, null, &input, 1, std::ptr::null(), &mut results, &mut error) }, error)?;
    let output = unsafe { *(*results).items };
    let numbers = unsafe { std::slice::from_raw_parts(output.data as *const f32, (output.byte_count / 4) as usize) };
    println!("{:?}", numbers);
    unsafe {
        apus_free(ports.cast());
        apus_free(results.cast());
        apus_model_release(model);
    }
    Ok(())
}

fn main() {
    assert_eq!(unsafe { apus_abi_version() }, 1);
    let name = std::env::args().nth(1).expect("the name of a model");
    if let Err(message) = run(&name) {
        eprintln!("run: {message}");
        std::process::exit(1);
    }
}
